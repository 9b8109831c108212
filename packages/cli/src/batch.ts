import { checkTarget } from './crawl.ts'
import { follow, type Followed, type JobFlags } from './follow.ts'
import { pageOptions, parseOptions, type PageFlags } from './page-options.ts'
import type { Shell } from './shell.ts'
import { readUrls } from './urls.ts'
import { numberOr } from './numbers.ts'

export interface BatchFlags extends PageFlags, JobFlags {
  readonly concurrency?: string
  readonly ignoreInvalid?: boolean
  readonly options?: string
}

/**
 * Scrapes many pages and prints them as they finish. `given` are URLs, files of URLs, or `-` for standard input. With
 * `--ignore-invalid`, invalid URLs are reported on stderr and skipped. Resolves to the exit code, such as `someFailed`; rejects
 * if the job cannot be started, for example because of an invalid URL.
 */
export async function batch(given: readonly string[], flags: BatchFlags, shell: Shell): Promise<number> {
  // Piped URLs need no `-`.
  const isPiped = given.length === 0 && shell.isPiped === true && flags.resume === undefined
  const words = isPiped ? readUrls(['-'], shell.stdin) : given
  checkTarget('batch', words.length, flags)
  const request = (): object => toBatch(readUrls(words, shell.stdin), flags)
  const start: Followed['start'] = async (client, asked) => {
    const job = await client.batch(asked)
    for (const url of job.invalidURLs ?? []) shell.err(`✗ ${url}  This is not a valid URL, so it was skipped.\n`)
    return job
  }
  return follow({ name: 'batch', request, start }, flags, shell)
}

/**
 * Returns the engine's batch request. Options without a flag are absent. Throws `invalid_request` if a flag or `--options` is
 * invalid.
 */
export function toBatch(urls: readonly string[], flags: BatchFlags): object {
  return {
    urls,
    ...pageOptions(flags),
    ...(flags.concurrency !== undefined && { maxConcurrency: numberOr(flags.concurrency) }),
    ...(flags.ignoreInvalid && { ignoreInvalidURLs: true }),
    ...parseOptions(flags.options),
  }
}
