# Stub of monitoring.googleapis.com on 127.0.0.1: three pages, as the real one prints them; writes each request to requests.log.
import json, sys, urllib.parse as U, datetime as D
from http.server import BaseHTTPRequestHandler as H, HTTPServer
MODE = sys.argv[2] if len(sys.argv) > 2 else "ok"
PAGES = {None: "a+b/c=", "a+b/c=": "page3&x y", "page3&x y": None}
def series(sec, res, app, n, end):
    z = lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"metric": {"type": "firebaseappcheck.googleapis.com/services/verification_count", "labels": {"security": sec, "result": res, "app_id": app}},
            "resource": {"type": "firebaseappcheck.googleapis.com/Service", "labels": {"resource_container": "shop-prod", "location": "global", "service_id": "firestore.googleapis.com"}},
            "metricKind": "DELTA", "valueType": "INT64",
            "points": [{"interval": {"startTime": z(end - D.timedelta(hours=i + 1)), "endTime": z(end - D.timedelta(hours=i))}, "value": {"int64Value": str(n)}} for i in range(3)]}
class S(H):
    def log_message(self, *a): pass
    def answer(self, code, body):
        b = body.encode(); self.send_response(code); self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_GET(self):
        u = U.urlsplit(self.path); q = {k: v[0] for k, v in U.parse_qs(u.query, keep_blank_values=True).items()}
        with open("requests.log", "a") as f:
            f.write(json.dumps({"path": u.path, "q": q, "auth": self.headers.get("Authorization"), "quota": self.headers.get("x-goog-user-project")}) + "\n")
        err = lambda c, s, m: self.answer(c, json.dumps({"error": {"code": c, "message": m, "status": s}}, indent=2) + "\n")
        if self.headers.get("Authorization") != "Bearer ya29.stub-token": return err(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        if self.headers.get("x-goog-user-project") != "shop-prod": return err(403, "PERMISSION_DENIED", "Your application is authenticating by using local Application Default Credentials. The monitoring.googleapis.com API requires a quota project, which is not set by default.")
        if u.path.endswith("/services"):
            return self.answer(200, json.dumps({"services": [{"name": "projects/123456789012/services/firestore.googleapis.com", "enforcementMode": "UNENFORCED", "updateTime": "2026-10-01T08:00:00.123456Z"}]}, indent=2) + "\n")
        end = D.datetime.strptime(q["interval.endTime"], "%Y-%m-%dT%H:%M:%SZ"); start = D.datetime.strptime(q["interval.startTime"], "%Y-%m-%dT%H:%M:%SZ")
        if (end - start).total_seconds() % 3600 or end.minute or end.second: return err(400, "INVALID_ARGUMENT", "not full hours")
        t = q.get("pageToken") or None
        if t not in PAGES: return err(400, "INVALID_ARGUMENT", "Field page_token had an invalid value %r." % t)
        if MODE == "fails" and t == "a+b/c=": return err(503, "UNAVAILABLE", "The service is currently unavailable.")
        if MODE == "loops": nxt = "a+b/c="
        else: nxt = PAGES[t]
        k = {None: 0, "a+b/c=": 1, "page3&x y": 2}[t]
        body = {"timeSeries": [[series("VALID", "ALLOW", "1:123456789012:web:00aa", 40, end)], [series("INVALID", "ALLOW", "UNKNOWN", 2, end)], [series("MISSING_UNKNOWN_ORIGIN", "ALLOW", "UNKNOWN", 5, end)]][k]}
        if MODE == "unreachable" and k == 1: body["unreachable"] = ["us-east1"]
        if nxt: body["nextPageToken"] = nxt
        body["unit"] = "1"
        s = json.dumps(body, indent=2) + "\n" if MODE != "compact" else json.dumps(body)
        self.answer(200, s.replace("=\"", "\\u003d\"") if MODE == "escaped" else s)
server = HTTPServer(("127.0.0.1", int(sys.argv[1])), S)
print(server.server_port)
server.serve_forever()
