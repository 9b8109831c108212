import { EngineError } from '@harvestman/ports'
import type { ShellReason } from './readings.ts'
import type { ScrapeContext } from './context.ts'
import { load } from './load.ts'
import { gateOf } from './gate.ts'
import type { ParsedPage } from './made.ts'
import { parse } from './parse.ts'
import { isDenied } from './policies.ts'
import { escalate, hasChoice } from './plan.ts'
import type { SeenVisit } from './visit.ts'

export interface ReadPage {
  readonly visit: SeenVisit
  readonly content: ParsedPage
}

/** Loads and reads the page; once more with its scripts, when they are what draws it. */
export async function loadAndRead(context: ScrapeContext): Promise<ReadPage> {
  const first = await loadAndParse(context)
  if (!isShell(first)) {
    if (isPlainPage(first)) await remember('sawPage', context)
    return first
  }
  const plan = escalate(context.plan)
  const reason = reasons[shellReason(first.content) ?? 'scripts']
  context.steps?.note({ step: 'scripts', outcome: plan ? 'browser next' : 'no browser', reason })
  if (!plan) return warned(first, `${reason} A browser would: give this engine one.`)
  try {
    const second = await loadAndParse({ ...context, plan })
    if (shellReason(second.content) === undefined) await remember('sawShell', context)
    return second
  } catch (error) {
    if (context.time.signal.aborted || !EngineError.is(error) || isDenied(error)) throw error
    return warned(first, `${reason} The browser did not either: ${error.message}`)
  }
}

async function loadAndParse(context: ScrapeContext): Promise<ReadPage> {
  const { url } = context.plan
  await gateOf(context)?.(url)
  const visit = await load(context)
  // Loaders ask before they follow a redirect; a kept copy was led there when another asked, and a plugin may not ask.
  if (visit.page.url !== url.href) await gateOf(context)?.(new URL(visit.page.url))
  const content = await parse(visit, context)
  const { parser, type } = content
  context.steps?.note({ step: 'parser', outcome: parser.name, reason: `The bytes are ${type}.` })
  return { visit, content }
}

/** True when the content of the page comes by scripts or frames that were not loaded. */
export function isShell({ visit: { page }, content }: ReadPage): boolean {
  return shellReason(content) !== undefined && !page.ranScripts && page.status < 400
}

function shellReason({ values }: ParsedPage): ShellReason | undefined {
  return (values['page.shell'] as ShellReason | null | undefined) ?? undefined
}

/** A page that came over HTTP just now, and needed nothing else. */
function isPlainPage({ visit: { page, cacheState } }: ReadPage): boolean {
  return !page.ranScripts && page.status < 400 && cacheState !== 'hit'
}

/** Remembers what this page needed for the next page of its host, where there is a choice of loaders. */
async function remember(what: 'sawPage' | 'sawShell', { plan, caller, kit }: ScrapeContext): Promise<void> {
  if (!plan.mayKeep || !hasChoice(plan)) return
  // Forgetting costs a fetch; it is no reason to lose a page.
  await kit.hosts[what](plan.url.host, caller.team).catch(() => undefined)
}

const reasons: Readonly<Record<ShellReason, string>> = {
  scripts: 'This page is drawn by its scripts, and HTTP alone does not show what they draw.',
  frames: 'The content of this page is in frames, and HTTP alone does not load them.',
}

function warned({ visit, content }: ReadPage, sentence: string): ReadPage {
  return { visit, content: { ...content, warnings: [...content.warnings, sentence] } }
}
