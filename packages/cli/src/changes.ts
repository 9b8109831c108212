import type { PageVersion, TrackedPage } from '@harvestman/client'
import type { ChangeTracking } from '@harvestman/core'

import type { CommandClient } from './client.ts'
import { withClient, type EngineFlags } from './follow.ts'
import { exitCodes, type Shell } from './shell.ts'
import { countOf } from './numbers.ts'

export interface ChangesFlags extends EngineFlags {
  readonly tag?: string
  readonly from?: string
  readonly to?: string
  readonly diff?: boolean
  readonly look?: boolean
  readonly json?: boolean
}

/**
 * Prints the versions of a page, or the difference of two versions. Resolves to the exit code; an unknown page has no
 * versions. Rejects with `invalid_request` for a version that is not a number, and with `not_found` if there is no such
 * version.
 */
export async function changes(url: string, flags: ChangesFlags, shell: Shell): Promise<number> {
  const page = { url, ...(flags.tag !== undefined && { tag: flags.tag }) }
  const wantsDiff = flags.diff === true || flags.from !== undefined || flags.to !== undefined
  return withClient(flags, shell, async (client) => {
    if (flags.look) shell.err(await look(client, page))
    if (wantsDiff) {
      const versions = {
        ...(flags.from !== undefined && { from: countOf('--from', flags.from) }),
        ...(flags.to !== undefined && { to: countOf('--to', flags.to) }),
      }
      const found = await client.changes.diff({ ...page, ...versions })
      shell.out(flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${found.diff.text}\n`)
      return exitCodes.done
    }
    const { versions } = await client.changes.history(page)
    if (versions.length === 0)
      shell.err('This page has no versions yet. Scrape it with the format changeTracking first.\n')
    shell.out(versions.map((one) => (flags.json ? `${JSON.stringify(one)}\n` : line(one))).join(''))
    return exitCodes.done
  })
}

/** Scrapes the page now and describes how it changed. */
async function look(client: CommandClient, { url, tag }: TrackedPage): Promise<string> {
  const format = { type: 'changeTracking', ...(tag !== undefined && { tag }) } as const
  const document = await client.scrape({ url, formats: ['markdown', format] })
  // Cast: the format was requested; it is absent if the page could not be compared.
  const changeTracking = document['changeTracking'] as ChangeTracking | undefined
  const { warning } = document
  if (changeTracking === undefined) return `${warning ?? 'The page was not compared.'}\n`
  const { changeStatus, previousScrapeAt } = changeTracking
  return `${changeStatus}${previousScrapeAt === null ? '' : ` since ${previousScrapeAt}`}\n`
}

function line({ version, firstSeenAt, lastSeenAt, checks, isRemoved, characters }: PageVersion): string {
  const what = isRemoved ? 'removed' : `${characters} characters`
  return `${version}\t${firstSeenAt}\t${lastSeenAt}\t${checks}x\t${what}\n`
}
