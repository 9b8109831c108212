import { EngineError } from '../errors/error.ts'
import type { Caller } from './caller.ts'
import type { TimeLeft } from './deadline.ts'
import type { Kit } from './kit.ts'
import { load } from './load.ts'
import { parse, type ParsedPage } from './parse.ts'
import { withScripts, withScriptsFirst, type Plan } from './plan.ts'
import type { Visit } from './visit.ts'

export interface ReadPage {
  readonly visit: Visit
  readonly content: ParsedPage
}

/** Loads and reads the page; once more with its scripts, when they are what draws it. */
export async function read(plan: Plan, caller: Caller, time: TimeLeft, kit: Kit): Promise<ReadPage> {
  const first = await loadAndParse(plan, caller, time, kit)
  if (!isShell(first)) {
    if (isPlainPage(first)) await remember('sawPage', plan, caller, kit)
    return first
  }
  const better = withScripts(plan)
  caller.trail?.note({ step: 'scripts', outcome: better ? 'browser next' : 'no browser', reason: drawn })
  if (!better) return warned(first, `${drawn} A browser would: give this engine one.`)
  try {
    const second = await loadAndParse(better, caller, time, kit)
    if (second.content.values['page.shell'] !== true) await remember('sawShell', plan, caller, kit)
    return second
  } catch (error) {
    if (time.signal.aborted || !EngineError.is(error)) throw error
    return warned(first, `${drawn} The browser did not either: ${error.message}`)
  }
}

async function loadAndParse(plan: Plan, caller: Caller, time: TimeLeft, kit: Kit): Promise<ReadPage> {
  const visit = await load(plan, caller, time.signal, kit)
  const content = await parse(visit, plan, time, kit)
  caller.trail?.note({ step: 'parser', outcome: content.parser, reason: `The bytes are ${content.type}.` })
  return { visit, content }
}

function isShell({ visit: { page }, content }: ReadPage): boolean {
  return content.values['page.shell'] === true && !page.ranScripts && page.status < 400
}

/** A page that came over HTTP just now, and needed nothing else. */
function isPlainPage({ visit: { page, cacheState } }: ReadPage): boolean {
  return !page.ranScripts && page.status < 400 && cacheState !== 'hit'
}

/** Where there is a choice of loaders, what this page needed is remembered for the next of its host. */
async function remember(what: 'sawPage' | 'sawShell', plan: Plan, { team }: Caller, { hosts }: Kit): Promise<void> {
  if (!plan.mayKeep || !withScriptsFirst(plan)) return
  // Forgetting costs a fetch; it is no reason to lose a page.
  await hosts[what](plan.url.host, team).catch(() => undefined)
}

const drawn = 'This page is drawn by its scripts, and HTTP alone does not show what they draw.'

function warned({ visit, content }: ReadPage, sentence: string): ReadPage {
  return { visit, content: { ...content, warnings: [...content.warnings, sentence] } }
}
