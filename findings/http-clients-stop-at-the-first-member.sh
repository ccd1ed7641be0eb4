#!/usr/bin/env bash
# Two HTTP clients read the first day of a log that has three, with status 200 and no error.
#
# Version:  httpx 0.28.1, httplib2 0.32.1, aiohttp 3.14.5, requests 2.34.2 with urllib3 2.8.0 (PyPI), each as it comes.
# Guess:    a gzip file may consist of several members (RFC 1952), and Content-Encoding: gzip means that format (RFC
#           9110), so a client gives the text of all of them, as gzip, zcat and Python's gzip module do; one that cannot
#           fails.
# Behaviour: httpx and httplib2 decode the first member and drop the rest, without a word; so does httpx's stream.
#           aiohttp and requests read all. Sent as application/gzip, without the encoding, the bytes are complete.
# Output seen:
#   httpx:              status 200, 100 lines of 300
#   httpx, stream:      status 200, 100 lines of 300
#   httplib2:           status 200, 100 lines of 300
#   aiohttp:            status 200, 300 lines of 300
#   requests:           status 200, 300 lines of 300
#   httpx, as a file:   status 200, 300 lines of 300
# Why it hurts: gzipped logs are joined by cat, by composing objects in a bucket, and by whatever appends to one; stored
#           with the encoding gzip, they are sent as they are to a client that accepts it. Status and length are right,
#           each line is whole, and the newest days are missing. A move from requests to httpx is enough.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  httpx==0.28.1 httplib2==0.32.1 aiohttp==3.14.5 requests==2.34.2 urllib3==2.8.0; } || exit 2

cat > run.py <<'PY'
import asyncio, gzip, http.server, threading
import aiohttp, httplib2, httpx, requests

lines = [b'{"insertId": "%06d"}\n' % number for number in range(300)]
days = b"".join(gzip.compress(b"".join(lines[first:first + 100])) for first in (0, 100, 200))
assert gzip.decompress(days) == b"".join(lines)

class Bucket(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        if self.path == "/log.json":
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Encoding", "gzip")
        else:
            self.send_header("Content-Type", "application/gzip")
        self.send_header("Content-Length", str(len(days)))
        self.end_headers()
        self.wfile.write(days)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
log = base + "/log.json"

def streamed():
    with httpx.stream("GET", log, trust_env=False) as answer:
        return answer.status_code, b"".join(answer.iter_bytes())

async def asynchronous():
    async with aiohttp.ClientSession() as session, session.get(log) as answer:
        return answer.status, await answer.read()

def plain(answer):
    return answer.status_code, answer.content

def older(answer):
    return answer[0].status, answer[1]

def show(title, answer):
    status, text = answer
    print(f"{title + ':':<19} status {status}, {text.count(10)} lines of 300")

session = requests.Session()
session.trust_env = False
show("httpx", plain(httpx.get(log, trust_env=False)))
show("httpx, stream", streamed())
show("httplib2", older(httplib2.Http(proxy_info=None).request(log)))
show("aiohttp", asyncio.run(asynchronous()))
show("requests", plain(session.get(log)))
status, file = plain(httpx.get(base + "/log.json.gz", trust_env=False))
show("httpx, as a file", (status, gzip.decompress(file)))
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
httpx:              status 200, 100 lines of 300
httpx, stream:      status 200, 100 lines of 300
httplib2:           status 200, 100 lines of 300
aiohttp:            status 200, 300 lines of 300
requests:           status 200, 300 lines of 300
httpx, as a file:   status 200, 300 lines of 300
TEXT
