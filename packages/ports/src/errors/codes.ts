/** The error codes of the engine. A code names the problem; the layer that shows the error decides how it looks. */
export const errorCodes = {
  invalid_request: { retryable: false, means: 'The request is invalid.' },
  not_configured: { retryable: false, means: 'The request needs an adapter or plugin that this engine does not have.' },
  not_for_files: { retryable: false, means: 'The option applies to pages that are loaded, not to files.' },
  url_blocked: { retryable: false, means: 'The address guard does not allow a connection to this address.' },
  robots_denied: { retryable: false, means: 'robots.txt disallows the page, and this engine always checks it.' },
  policy_denied: {
    retryable: false,
    means: 'A policy of this engine does not allow the request, the address or the action.',
  },
  unsafe_domain_blocked: {
    retryable: false,
    means: 'Threat protection blocks the host of the URL.',
  },
  prompt_injection: {
    retryable: false,
    means: 'The page has instructions to a language model, and the request has `checkPromptInjection`.',
  },
  logged_out: { retryable: false, means: 'The page asks to log in, although it was loaded with a profile.' },
  dns_failed: { retryable: true, means: 'The host name could not be resolved.' },
  connection_failed: { retryable: true, means: 'The connection to the host failed or was closed.' },
  tls_failed: { retryable: false, means: 'The certificate of the host is invalid.' },
  timeout: { retryable: true, means: 'The request did not finish within its timeout.' },
  map_timeout: { retryable: true, means: 'The map did not finish within its timeout.' },
  search_timeout: { retryable: true, means: 'The search did not finish within its timeout.' },
  too_many_redirects: { retryable: false, means: 'The page redirects too often.' },
  bad_response: {
    retryable: true,
    means: 'The host sent a response that is not valid HTTP, or that cannot be decoded.',
  },
  response_too_large: { retryable: false, means: 'The response is larger than the limit, compressed or decompressed.' },
  unsupported_file: {
    retryable: false,
    means: 'The file is damaged or encrypted, or this engine has no parser for its type.',
  },
  page_too_complex: { retryable: false, means: 'The page could not be read within the time and memory limits.' },
  loaders_failed: { retryable: true, means: 'Every loader for the page failed.' },
  browser_failed: { retryable: true, means: 'The browser did not start, crashed or stopped responding.' },
  action_failed: { retryable: false, means: 'An action on the page failed.' },
  trap: { retryable: false, means: 'A part of the site has no end, and the crawl skipped the rest of it.' },
  branding_not_supported: {
    retryable: false,
    means: 'The look of a page can only be read from a page in a browser.',
  },
  format_failed: { retryable: false, means: 'A format could not be produced from the page.' },
  model_unavailable: {
    retryable: true,
    means: 'The language model is unreachable, busy or too slow.',
  },
  model_failed: { retryable: false, means: 'The language model returned an unusable answer.' },
  search_unavailable: {
    retryable: true,
    means: 'The search backend is unreachable, busy or too slow.',
  },
  search_failed: { retryable: false, means: 'The search backend returned an unusable answer.' },
  not_cached: { retryable: false, means: 'The request accepts only a cached copy, and there is none.' },
  lockdown_miss: { retryable: false, means: 'The request allows no network access, and there is no cached copy.' },
  not_found: { retryable: false, means: 'The id does not exist, or has expired.' },
  forbidden: { retryable: false, means: 'The requested item belongs to another team.' },
  conflict: { retryable: false, means: 'The request conflicts with an existing item.' },
  session_over: {
    retryable: false,
    means: 'The live browser was stopped, timed out, or ended with its engine.',
  },
  too_many_sessions: { retryable: true, means: 'The maximum number of live browsers is open.' },
  rate_limited: { retryable: true, means: 'The team or its key has exceeded its rate limit.' },
  scope_missing: { retryable: false, means: 'The API key lacks the scope for this.' },
  unauthorized: { retryable: false, means: 'The API key is missing or unknown.' },
  insufficient_credits: { retryable: false, means: 'The team or the job does not have enough credits.' },
  store_failed: { retryable: true, means: 'The store failed to read or write a value.' },
  newer_version: { retryable: false, means: 'The stored data was written by a newer version of Harvestman.' },
  aborted: { retryable: false, means: 'The caller cancelled the work.' },
  closed: { retryable: false, means: 'The engine was closed.' },
  internal: { retryable: false, means: 'Harvestman has a bug.' },
} as const

/** An error code. */
export type ErrorCode = keyof typeof errorCodes
