import type { ParseContext } from '@harvestman/core/plugin'
import { makeThreads, threadFile, type ThreadOptions, type Threads } from '@harvestman/threads'

import type { PdfResult, PdfTask, UnwrittenResult } from './work.ts'

/** Threads that read files and write their HTML. */
export type PdfThreads = Threads<PdfTask, PdfResult | UnwrittenResult>

/** Creates threads that read files and write their HTML. Throws `not_configured` in a bundle. */
export function makePdfThreads(options: Omit<ThreadOptions, 'entry'>): PdfThreads {
  return makeThreads({ ...options, entry: threadFile(import.meta.url) })
}

/** Writes the HTML of pages that were read before. Rejects as `Threads.run` does. */
export async function writePages(
  threads: PdfThreads,
  pages: Omit<PdfTask & { readonly kind: 'write' }, 'kind'>,
  { team, signal, most }: Pick<ParseContext, 'team' | 'signal' | 'most'>,
): Promise<PdfResult> {
  const outcome = await threads.run({ kind: 'write', ...pages }, signal, { team, most })
  if ('wanted' in outcome) throw new TypeError('A task of the kind write returned the result of another kind.')
  return outcome
}
