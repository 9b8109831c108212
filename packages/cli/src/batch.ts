import { checkTarget } from './crawl.ts'
import { follow, previewOf, type JobFlags } from './follow.ts'
import { pageOptions, parseOptions, type PageFlags } from './page-options.ts'
import type { Shell } from './shell.ts'
import { readUrls } from './urls.ts'
import { numberOr } from './numbers.ts'

export interface BatchFlags extends PageFlags, JobFlags {
  readonly concurrency?: string
  readonly ignoreInvalid?: boolean
  readonly options?: string
}

/** Loads many pages and gives them as they come. */
export async function batch(words: readonly string[], flags: BatchFlags, shell: Shell): Promise<number> {
  checkTarget('batch', words.length, flags)
  if (flags.preview) return previewOf('batch', toBatch(readUrls(words, shell.stdin), flags), flags, shell)
  const start = async (engine: Parameters<Parameters<typeof follow>[1]>[0]) => {
    const job = await engine.unchecked.batch(toBatch(readUrls(words, shell.stdin), flags))
    for (const url of job.invalidURLs ?? []) shell.err(`✗ ${url}  This is no address, and was left out.\n`)
    return job
  }
  return follow('batch', start, flags, shell)
}

/** What the command line asks for, in the words of the engine. */
export function toBatch(urls: readonly string[], flags: BatchFlags): object {
  return {
    urls,
    ...pageOptions(flags),
    ...(flags.concurrency !== undefined && { maxConcurrency: numberOr(flags.concurrency) }),
    ...(flags.ignoreInvalid && { ignoreInvalidURLs: true }),
    ...parseOptions(flags.options),
  }
}
