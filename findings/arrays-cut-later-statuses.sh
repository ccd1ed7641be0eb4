#!/usr/bin/env bash
# The first day's longest status is the longest that can be appended: MISSING becomes MISSI.
#
# Version:  zarr 3.1.6, h5py 3.16.0, tables 3.11.1 (PyPI), numpy 2.4.6; append to an array of texts.
# Guess:    a text that is longer than the array's type raises, as a name too long for a column does in a database.
# Behaviour: all three cut it, without a word. The type is the one that numpy gave the first day: as long as its longest
#           text. Numbers fare no better: h5py clips what is too large, zarr wraps it.
# Output seen:
#   zarr       ['VALID', 'MISSI', 'INVAL']
#   h5py       ['VALID', 'MISSI', 'INVAL']
#   PyTables   ['VALID', 'MISSI', 'INVAL']
#   zarr       [200, 4464] of 200, 70000
#   h5py       [200, 32767] of 200, 70000
#   counted as MISSING: 0 of 1
# Why it hurts: a store of statuses that begins on a good day, with VALID alone, has a place for five letters. From then
#           on nothing is MISSING or INVALID: a filter on these words finds no request, and the share of refused ones is
#           0% for ever. A store that begins on a bad day is right, and so is every test that has all statuses in it.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  zarr==3.1.6 h5py==3.16.0 tables==3.11.1 numpy==2.4.6; } || exit 2

cat > run.py <<'PY'
import h5py, numpy, tables, zarr

first, later = numpy.array([b"VALID"]), numpy.array([b"MISSING", b"INVALID"])
numbers, large = numpy.array([200], "int16"), numpy.array([70000])
text = lambda values: [value.decode() if isinstance(value, bytes) else str(value) for value in values.tolist()]

array = zarr.create_array("text.zarr", data=first.astype(str))
array.append(later.astype(str))
seen = text(array[:])
print("zarr      ", seen)
with h5py.File("log.h5", "w") as file:
    data = file.create_dataset("app", data=first, maxshape=(None,))
    data.resize((3,))
    data[1:] = later
    print("h5py      ", text(data[:]))
    data = file.create_dataset("status", data=numbers, maxshape=(None,))
    data.resize((2,))
    data[1:] = large
    clipped = data[:].tolist()
with tables.open_file("log.hdf", "w") as file:
    data = file.create_earray("/", "app", obj=first)
    data.append(later)
    print("PyTables  ", text(data[:]))
array = zarr.create_array("numbers.zarr", data=numbers)
array.append(large)
print("zarr      ", array[:].tolist(), "of 200, 70000")
print("h5py      ", clipped, "of 200, 70000")
print("counted as MISSING:", seen.count("MISSING"), "of 1")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
zarr       ['VALID', 'MISSI', 'INVAL']
h5py       ['VALID', 'MISSI', 'INVAL']
PyTables   ['VALID', 'MISSI', 'INVAL']
zarr       [200, 4464] of 200, 70000
h5py       [200, 32767] of 200, 70000
counted as MISSING: 0 of 1
TEXT
