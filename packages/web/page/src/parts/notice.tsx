import type { Refusal } from '../lib/api.ts'
import { problemsOf } from '../lib/faults.ts'
import { shown } from '../lib/format.ts'
import { Words } from './pieces.tsx'
import { Steps, type Step } from './why.tsx'

const remedies: Readonly<Record<string, string>> = {
  NOT_CONFIGURED: 'Something this needs is not set up. Run `harvestman doctor` on the server to see what.',
  SCRAPE_TIMEOUT: 'Raise the timeout in the options, or try again later.',
  SCRAPE_BLOCKED: 'The site refuses robots. Try the proxy `auto` in the options, if the server has proxies.',
  URL_BLOCKED: 'The operator of the server can allow private addresses with HARVESTMAN_ALLOW_PRIVATE.',
  INSUFFICIENT_CREDITS: 'The operator of the server can grant credits.',
}

const byStatus: Readonly<Record<number, string>> = {
  402: 'The operator of the server can grant credits.',
  429: 'Too many requests. Wait a moment, then try again.',
}

/** An error with its message, code and remedy. */
export function Notice({ refusal, retry }: { readonly refusal: Refusal; readonly retry?: (() => void) | undefined }) {
  const { message, code, status, requestId, details } = refusal
  const problems = problemsOf(refusal).flatMap((one) => one.message ?? [])
  const steps = (details as { readonly explain?: { readonly steps?: readonly Step[] } } | undefined)?.explain?.steps
  const remedy = remedies[code] ?? byStatus[status ?? 0]
  const mayHelp = status === undefined || status === 408 || status === 429 || status >= 500
  return (
    <div class="notice" role="alert" tabIndex={-1}>
      <strong class="error">{problems.length > 0 ? 'The request is not valid yet.' : shown(message)}</strong>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>{shown(problem)}</li>
          ))}
        </ul>
      )}
      {remedy && (
        <span>
          <Words text={remedy} />
        </span>
      )}
      <span class="small muted">
        {[
          code !== 'UNKNOWN' && code,
          status !== undefined && status >= 300 && `status ${status}`,
          requestId && `request ${requestId}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {steps && steps.length > 0 && (
        <details>
          <summary class="small">What was tried</summary>
          <Steps steps={steps} />
        </details>
      )}
      {mayHelp && (
        <span>
          <button type="button" onClick={retry ?? (() => location.reload())}>
            {retry ? 'Try again' : 'Reload'}
          </button>
        </span>
      )}
    </div>
  )
}
