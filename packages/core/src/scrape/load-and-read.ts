import { EngineError, publicMessage } from '@harvestman/ports'
import type { ShellReason } from './readings.ts'
import type { ScrapeContext } from './context.ts'
import { load } from './load.ts'
import { makeVisitCheck } from './visit-check.ts'
import type { ParsedPage, ReadPage } from './made.ts'
import { parse } from './parse.ts'
import { isDenied } from './policies.ts'
import { escalate, type Plan } from './plan.ts'

/**
 * Loads and reads the page, again in a browser if scripts render it; if that is not possible, the first result has a warning.
 * Rejects as `load` and `parse` do, and with `prompt_injection` if the requested check finds instructions to a model, and
 * with `logged_out` if the profile of the request is.
 */
export async function loadAndRead(context: ScrapeContext): Promise<ReadPage> {
  const rendered = await loadRendered(context)
  const read = rendered.visit.profile ? await loggedIn(rendered, context) : rendered
  if (context.kit.policies.hasPageChecks) await checkUse(read, context)
  if (!context.plan.screening) return read
  const { screened } = await import('./screening.ts')
  return screened(read, context)
}

async function loggedIn(read: ReadPage, context: ScrapeContext): Promise<ReadPage> {
  const { readLoggedIn } = await import('./logged-out.ts')
  return readLoggedIn(read, context, {
    again: (plan) => loadAgain(plan, read, context),
    remember: (what) => remember(what, context),
  })
}

/**
 * Loads and reads the page. Repeats both in a browser if the page is rendered by scripts. If there is no browser, or it fails,
 * the first result is returned with a warning. Rejects if the first load fails, if a policy forbids the second one, or if the
 * signal is aborted.
 */
async function loadRendered(context: ScrapeContext): Promise<ReadPage> {
  const first = await loadAndParse(context)
  if (!isShell(first)) {
    if (isPlainPage(first)) await remember('sawPage', context)
    return first
  }
  if (context.plan.isRaw) return first
  const plan = escalate(context.plan, first.visit.page.proxyUsed)
  const reason = reasons[shellReason(first.content) ?? 'scripts']
  context.steps?.note({ step: 'scripts', outcome: plan ? 'browser next' : 'no browser', reason })
  if (!plan) return warned(first, `${reason} ${remedyFor(context.plan)}`)
  try {
    const second = await loadAgain(plan, first, context)
    const { block } = second.visit.page
    if (block) return warned(first, `${reason} The browser did not either: ${block.reason}`)
    if (shellReason(second.content) === undefined) await remember('sawShell', context)
    return second
  } catch (error) {
    if (context.time.signal.aborted || !EngineError.is(error) || isDenied(error)) throw error
    return warned(first, `${reason} The browser did not either: ${publicMessage(error)}`)
  }
}

/** Loads and reads the page with another plan, with the cookies that the previous attempt has set in the profile. */
function loadAgain(plan: Plan, { visit }: ReadPage, context: ScrapeContext): Promise<ReadPage> {
  return loadAndParse({ ...context, plan, profile: visit.profile?.inUse })
}

/** Asks the policies whether the page may be used. Rejects with `policy_denied`. A given file is not of a site. */
async function checkUse(
  { visit, content }: ReadPage,
  { kit, caller: { team }, time: { signal }, plan }: ScrapeContext,
) {
  if (!kit.mayVisit) return
  const { url, status, headers } = visit.page
  const context = { team, signal, isOffline: plan.isLockdown }
  await kit.policies.page({ url, status, headers }, content.values, context)
}

async function loadAndParse(context: ScrapeContext): Promise<ReadPage> {
  const { url } = context.plan
  await makeVisitCheck(context)?.(url)
  const visit = await load(context)
  // Loaders check redirects before they follow them. A cached page may have been redirected in another request, and a plugin's
  // loader may not check.
  if (visit.page.url !== url.href) await makeVisitCheck(context)?.(new URL(visit.page.url))
  const content = await parse(visit, context)
  const { parser, type } = content
  context.steps?.note({ step: 'parser', outcome: parser.name, reason: `The bytes are ${type}.` })
  return { visit, content }
}

/**
 * Returns whether the content is missing because scripts or frames were not loaded. False for status 400 and above, and for a
 * block page: the browser was tried.
 */
export function isShell({ visit: { page }, content }: ReadPage): boolean {
  return shellReason(content) !== undefined && !page.ranScripts && page.status < 400 && !page.block
}

function shellReason({ values }: ParsedPage): ShellReason | undefined {
  return (values['page.shell'] as ShellReason | null | undefined) ?? undefined
}

/** Returns whether the page was just loaded over HTTP and needed no browser. With a profile, the login must be checked first. */
function isPlainPage({ visit: { page, cacheState, isRaised, profile } }: ReadPage): boolean {
  return !page.ranScripts && page.status < 400 && cacheState !== 'hit' && !isRaised && !page.block && !profile
}

/** Remembers which loader the host needs, if there is a choice. */
async function remember(what: 'sawPage' | 'sawShell', { plan, caller, kit }: ScrapeContext): Promise<void> {
  if (!plan.mayKeep || plan.loaders.length < 2) return
  // A lost record costs one extra fetch and must not fail the scrape.
  await kit.hosts[what](plan.url.host, caller.team).catch(() => undefined)
}

function remedyFor({ cache }: Plan): string {
  return cache.only ? 'Only the cached copy was requested.' : 'A browser would: give this engine one.'
}

const reasons: Readonly<Record<ShellReason, string>> = {
  scripts: 'This page is drawn by its scripts, and HTTP alone does not show what they draw.',
  frames: 'The content of this page is in frames, and HTTP alone does not load them.',
}

function warned({ visit, content }: ReadPage, sentence: string): ReadPage {
  return { visit, content: { ...content, warnings: [...content.warnings, sentence] } }
}
