"""`python -m studies.pooled_audit`: audit thirty networks, and write the page."""

from studies.data import data_file
from studies.pooled_audit.page import record
from studies.pooled_audit.run import Audited, Networks, every


def main() -> None:
    results: list[Audited] = []
    for result in every(Networks.read(data_file("cifar10/predictions.parquet"))):
        print(result, flush=True)
        results.append(result)
    record(results)


if __name__ == "__main__":
    main()
