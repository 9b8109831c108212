// What happens to commands of a live browser when their page crashes.
import type { EngineError } from '@harvestman/ports'

import type { EndedFor } from '../chromium/renderers.ts'
import type { Message } from '../fence/heard.ts'
import { actionFailed } from '../lib/errors.ts'
import { pause } from '../lib/race.ts'

/** A tab whose page may crash. */
export interface Crashable {
  /** Why the page ended, as the predicate of a sentence, until it is replaced. */
  crash: string | undefined
  /** Called when the page crashes, or the tab is closed. */
  readonly onCrash: Set<() => void>
}

// The browser carries these out without the page.
const replaces: ReadonlySet<string> = new Set([
  'Page.navigate',
  'Page.reload',
  'Page.navigateToHistoryEntry',
  'Page.getNavigationHistory',
  'Page.close',
])

const endings: Readonly<Record<EndedFor, string>> = {
  memory: 'took more memory than one page may have (`pageMemory`)',
  limits: 'was ended because the pages of the browser took more memory together than they may have (`limits.memory`)',
  silence: 'kept the browser from responding',
}

const byItself = 'crashed'

// Milliseconds in which the browser reports a crash after it has responded to pending commands.
const reportedWithin = 1_000

/** Returns why a page crashed, as the predicate of a sentence. `end` is the reason for which it was killed, if it was. */
export function whyCrashed(end: EndedFor | undefined): string {
  return end === undefined ? byItself : endings[end]
}

/**
 * Returns the `action_failed` error for a command that a page did not carry out because it crashed. `why` is the predicate of
 * the sentence about the page; the default is `did not respond or crashed`.
 */
export function crashedPage(why = byItself): EngineError {
  const problem = why === byItself ? 'did not respond or crashed' : why
  return actionFailed(`The page ${problem}, and was opened again. Take another snapshot.`)
}

/** Returns whether an error of the browser is about a page that has crashed. */
export function isCrash(error: { readonly message: string } | undefined): boolean {
  return error?.message === 'Target crashed'
}

/**
 * Settles like the command, or rejects with `action_failed` when the page of the tab crashes or already has. The browser does
 * not respond to commands for a page that has crashed, except for those that replace it, such as `Page.navigate`.
 */
export async function untilCrash(tab: Crashable, method: string, send: () => Promise<Message>): Promise<Message> {
  if (replaces.has(method)) return send()
  if (tab.crash !== undefined) throw crashedPage(tab.crash)
  const crash = Promise.withResolvers<never>()
  const note = (): void => {
    if (tab.crash !== undefined) crash.reject(crashedPage(tab.crash))
  }
  tab.onCrash.add(note)
  try {
    const answer = await Promise.race([send(), crash.promise])
    // The reason is known when the browser reports the crash.
    if (isCrash(answer.error)) await Promise.race([pause(reportedWithin), crash.promise])
    return answer
  } finally {
    tab.onCrash.delete(note)
  }
}
