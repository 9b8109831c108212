import { EngineError } from '@harvestman/ports'
import type { ScrapeContext } from './context.ts'
import { load } from './load.ts'
import { gateOf } from './gate.ts'
import type { ParsedPage } from './made.ts'
import { parse } from './parse.ts'
import { isDenied } from './policies.ts'
import { escalate, hasChoice } from './plan.ts'
import { madeOf } from './remembered.ts'
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
  context.steps?.note({ step: 'scripts', outcome: plan ? 'browser next' : 'no browser', reason: drawn })
  if (!plan) return warned(first, `${drawn} A browser would: give this engine one.`)
  try {
    const second = await loadAndParse({ ...context, plan })
    if (second.content.values['page.shell'] !== true) await remember('sawShell', context)
    return second
  } catch (error) {
    if (context.time.signal.aborted || !EngineError.is(error) || isDenied(error)) throw error
    return warned(first, `${drawn} The browser did not either: ${error.message}`)
  }
}

async function loadAndParse(context: ScrapeContext): Promise<ReadPage> {
  const { url } = context.plan
  await gateOf(context)?.(url)
  const visit = await load(context)
  // Loaders ask before they follow a redirect; a kept copy was led there when another asked, and a plugin may not ask.
  if (visit.page.url !== url.href) await gateOf(context)?.(new URL(visit.page.url))
  const content = madeOf(visit, context.remembered)?.content ?? (await parse(visit, context))
  const { parser, type } = content
  context.steps?.note({ step: 'parser', outcome: parser.name, reason: `The bytes are ${type}.` })
  return { visit, content }
}

/** True when the page is to be drawn by scripts that did not run. */
export function isShell({ visit: { page }, content }: ReadPage): boolean {
  return content.values['page.shell'] === true && !page.ranScripts && page.status < 400
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

const drawn = 'This page is drawn by its scripts, and HTTP alone does not show what they draw.'

function warned({ visit, content }: ReadPage, sentence: string): ReadPage {
  return { visit, content: { ...content, warnings: [...content.warnings, sentence] } }
}
