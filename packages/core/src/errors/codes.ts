/** Every way this engine fails. A code says what is wrong; whoever shows it decides what it looks like. */
export const errorCodes = {
  invalid_request: { retryable: false, means: 'The request is not one the schema accepts.' },
  not_configured: { retryable: false, means: 'The request needs a port or plugin that this engine was not given.' },
  url_blocked: { retryable: false, means: 'The address guard does not allow a connection to this address.' },
  dns_failed: { retryable: true, means: 'The name of the host could not be resolved.' },
  connection_failed: { retryable: true, means: 'The connection could not be made, or broke.' },
  tls_failed: { retryable: false, means: 'The certificate of the host is not valid.' },
  timeout: { retryable: true, means: 'The work did not finish within the timeout of the request.' },
  too_many_redirects: { retryable: false, means: 'The page redirects more often than is allowed.' },
  bad_response: { retryable: true, means: 'What the host answered is not HTTP, or not decodable.' },
  response_too_large: { retryable: false, means: 'The answer is larger than the limit, on the wire or unpacked.' },
  unsupported_file: { retryable: false, means: 'No parser of this engine reads this type of file.' },
  page_too_complex: { retryable: false, means: 'The page could not be read within the limits of time and memory.' },
  loaders_failed: { retryable: true, means: 'Every way of loading the page was tried, and none worked.' },
  browser_failed: { retryable: true, means: 'The browser could not be started, crashed or stopped answering.' },
  action_failed: { retryable: false, means: 'An action on the page did not succeed.' },
  format_failed: { retryable: false, means: 'A format could not be derived from the page.' },
  not_cached: { retryable: false, means: 'Only a cached copy was asked for, and there is none.' },
  not_found: { retryable: false, means: 'There is nothing under this id, or it has expired.' },
  forbidden: { retryable: false, means: 'What was asked for belongs to another team.' },
  unauthorized: { retryable: false, means: 'The caller is not known.' },
  store_failed: { retryable: true, means: 'The store did not take or give a value.' },
  aborted: { retryable: false, means: 'The caller cancelled the work.' },
  closed: { retryable: false, means: 'The engine was closed.' },
  internal: { retryable: false, means: 'Harvestman has a fault.' },
} as const

export type ErrorCode = keyof typeof errorCodes
