), read AS (
    SELECT insert_id, log, stamped, received,
        CASE WHEN stamped > received + INTERVAL 1 HOUR THEN received
            WHEN stamped < received - INTERVAL 24 HOUR THEN NULL
            ELSE COALESCE(stamped, received) END AS time,
        CASE WHEN severity IN ('DEBUG', 'INFO') THEN severity ELSE 'OTHER' END AS severity,
        COALESCE(JSON_VALUE(place, '$.project_id'), REGEXP_EXTRACT(log, '^projects/([^/]+)/')) AS project,
        COALESCE(JSON_VALUE(place, '$.location'), JSON_VALUE(place, '$.region')) AS region,
        COALESCE(JSON_VALUE(place, '$.service_name'), JSON_VALUE(place, '$.function_name')) AS function,
        CASE kind WHEN 'cloud_function' THEN 1 WHEN 'cloud_run_revision' THEN 2 END AS generation,
        JSON_VALUE(labels, '$.{{id}}') AS id,
        COALESCE(JSON_VALUE(labels, '$.{{type}}'), '') = 'callable-request-verification' AS labelled,
        COALESCE('call ' || COALESCE(JSON_VALUE(labels, '$.{{instance}}'), '') || ' ' || JSON_VALUE(labels, '$.{{execution}}'),
            'span ' || trace || ' ' || span) AS execution,
        COALESCE(JSON_VALUE(payload, '$.message'), text) AS message,
        COALESCE(JSON_VALUE(payload, '$.verifications.app'), JSON_VALUE(payload, '$.verifications.appCheck'),
            JSON_VALUE(payload, '$.verifications.appcheck')) AS app,
        JSON_VALUE(payload, '$.verifications.auth') AS auth
    FROM logged
), spoken AS (
    SELECT * EXCEPT (app, auth),
        app IS NOT NULL OR auth IS NOT NULL AS structured,
        CASE WHEN app IS NULL AND auth IS NULL
            THEN REGEXP_EXTRACT(message, '[\x22\x27]app[\x22\x27][ :]*[\x22\x27]([A-Z]*)[\x22\x27]')
            ELSE app END AS app,
        CASE WHEN app IS NULL AND auth IS NULL
            THEN REGEXP_EXTRACT(message, '[\x22\x27]auth[\x22\x27][ :]*[\x22\x27]([A-Z]*)[\x22\x27]')
            ELSE auth END AS auth,
        CASE WHEN message = 'Callable request verification passed' THEN 'passed'
            WHEN STARTS_WITH(message, 'Callable request verification failed') THEN 'failed'
            WHEN STARTS_WITH(message, 'Callable header verification') THEN 'documented'
            WHEN NOT labelled AND app IS NULL AND auth IS NULL THEN REGEXP_EXTRACT(message,
                '^(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[^ :]*:)?Callable request verification (passed|failed)')
            END AS said
    FROM read
), verifications AS (
    SELECT * EXCEPT (app, auth), UNIX_DATE(CAST(COALESCE(time, received) AS DATE)) AS day,
        CASE WHEN app IN ('VALID', 'INVALID', 'MISSING') THEN app ELSE 'OTHER' END AS app,
        CASE WHEN auth IN ('VALID', 'INVALID', 'MISSING') THEN auth ELSE 'OTHER' END AS auth
    FROM spoken
    WHERE labelled OR structured OR app IS NOT NULL OR auth IS NOT NULL
), genuine AS (
    SELECT * FROM verifications
    WHERE said = 'documented'
        OR (said = 'passed' AND app <> 'INVALID' AND auth <> 'INVALID')
        OR (said = 'failed' AND (app IN ('INVALID', 'OTHER') OR auth IN ('INVALID', 'OTHER')))
), entries AS (
    SELECT * FROM genuine WHERE TRUE
    QUALIFY ROW_NUMBER() OVER (
        PARTITION BY project, log, insert_id, COALESCE(time, stamped), region, function, generation, labelled,
            app, auth
        ORDER BY execution IS NULL, severity) = 1
), requests AS (
    SELECT * FROM entries WHERE TRUE
    QUALIFY NOT labelled OR execution IS NULL OR CASE WHEN time IS NOT NULL THEN
        ROW_NUMBER() OVER (
            PARTITION BY project, region, function, generation, labelled, execution, time, app, auth
            ORDER BY insert_id) = 1
        AND COALESCE(day - MAX(IF(time IS NULL, NULL, day)) OVER (
            PARTITION BY project, region, function, generation, labelled, execution
            ORDER BY UNIX_MICROS(time) RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 2) > 1
    ELSE
        COUNT(time) OVER (
            PARTITION BY project, region, function, generation, labelled, execution
            ORDER BY day RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) = 0
        AND COALESCE(day - LAG(day) OVER (
            PARTITION BY project, region, function, generation, labelled, execution, time IS NULL
            ORDER BY day, insert_id), 2) > 1
    END
), counted AS (
    SELECT project, region, function, MIN(id) AS id, generation, CAST(labelled AS STRING) AS labelled, severity,
        CAST(CAST(time AS DATE) AS STRING) AS day, EXTRACT(HOUR FROM time) AS hour, app, auth,
        COUNT(*) AS count, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E6SZ', MIN(time)) AS first,
        FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E6SZ', MAX(time)) AS last
    FROM requests
    GROUP BY 1, 2, 3, 5, 6, 7, 8, 9, 10, 11
    UNION ALL
    SELECT project, NULL, NULL, NULL, 2, 'false', NULL, CAST(CAST(time AS DATE) AS STRING), NULL, NULL, NULL,
        COUNT(*), NULL, NULL
    FROM read
    WHERE ENDS_WITH(log, 'run.googleapis.com%2Fstderr')
    GROUP BY 1, 8
)
SELECT *, COUNT(*) OVER () AS row_count FROM counted
