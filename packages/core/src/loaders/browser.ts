import { EngineError } from '../errors/error.ts'
import { defineLoader, pass } from '../plugin/define.ts'
import type { LoadJob, LoaderKit, Page } from '../plugin/parts.ts'
import type { Json } from '../ports/value.ts'
import type { Tab } from '../ports/browser.ts'

/** Opens the page in a browser, acts on it, and takes what is there after the last action. */
export const browserLoader = defineLoader({
  name: 'browser',
  cost: 20,
  offers: ['actions', 'capture', 'mobile', 'wait'],
  accepts: ({ protocol }) => protocol === 'http:' || protocol === 'https:',
  load: async (job, kit) => {
    if (!kit.browser) return pass('this engine has no browser')
    const { headers, mobile, blockAds, skipTlsVerification, location } = job.request
    const profile = { headers, mobile, blockAds, skipTlsVerification, location }
    const tab = await kit.browser.open(profile, job.signal)
    try {
      return await visit(tab, job, kit)
    } finally {
      await tab.close()
    }
  },
})

async function visit(tab: Tab, job: LoadJob, kit: LoaderKit): Promise<Page> {
  const { url, request, signal } = job
  const landing = await tab.goto(url, signal)
  if (request.waitFor > 0) await kit.clock.sleep(request.waitFor, signal)
  const actions = await act(tab, job, kit)
  const captured: Record<string, unknown> = {}
  for (const { name, run } of job.captures) captured[name] = await run(tab, signal)
  const html = await tab.html()
  return {
    url: await tab.url(),
    status: landing.status,
    headers: { ...Object.fromEntries(landing.headers), 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(html),
    captured,
    actions,
    proxyUsed: 'basic',
    warnings: [],
  }
}

async function act(tab: Tab, { actions, signal }: LoadJob, { clock }: LoaderKit): Promise<Record<string, Json[]>> {
  const results: Record<string, Json[]> = {}
  for (const [index, { type, run }] of actions.entries()) {
    try {
      const result = await run(tab, { clock, signal })
      if (result) (results[result.into] ??= []).push(result.value)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const reason = EngineError.is(error) ? error.message : 'The action has a fault.'
      throw new EngineError('action_failed', `actions[${index}] (${type}) did not succeed. ${reason}`, {
        cause: error,
        details: { index, type, results },
      })
    }
  }
  return results
}
