STRICT = params.BoolParam("STRICT_PYTHON", default=False)
GUARDED = False


@https_fn.on_call(enforce_app_check=STRICT.value)
def rate_driver(request): ...


@https_fn.on_call(region="us-central1", enforce_app_check=STRICT)
def rate_rider(request): ...


@https_fn.on_call(
    enforce_app_check=GUARDED,
)
def tip_driver(request): ...
