// Queries about the history of a page.
import { EngineError } from '@harvestman/ports'
import { check } from '../schema/problems.ts'
import { diffSchema, historySchema, trackedSchema } from '../schema/changes.ts'
import type { History, PageKey, Version } from './history.ts'
import type { TextDiff } from '@harvestman/diff'

/** A version of a page, seen unchanged in one or more checks. */
export interface PageVersion {
  /** Version number, starting at 1. */
  readonly version: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  /** Number of checks that saw this version. */
  readonly checks: number
  readonly isRemoved: boolean
  readonly characters: number
}

/** The stored versions of a page. */
export interface PageHistory {
  readonly url: string
  readonly tag: string | null
  /** Newest first. */
  readonly versions: readonly PageVersion[]
}

/** Difference between two versions of a page. */
export interface PageDiff {
  readonly url: string
  readonly tag: string | null
  readonly from: PageVersion
  readonly to: PageVersion
  readonly diff: TextDiff
}

/** A tracked page with its newest version. */
export interface TrackedPage {
  readonly url: string
  readonly tag: string | null
  readonly newest: PageVersion
}

/** Tracked pages, in no particular order. */
export interface TrackedPageList {
  readonly pages: readonly TrackedPage[]
  /** Position of the next page of results; absent at the end. */
  readonly cursor?: string
}

/** Entry points for queries about the history of pages. Inputs are validated. */
export interface PageHistoryApi {
  list(input: unknown, team: string): Promise<TrackedPageList>
  history(input: unknown, team: string): Promise<PageHistory>
  diff(input: unknown, team: string): Promise<PageDiff>
}

/**
 * Creates the entry points for queries about the history of pages. They reject with `invalid_request` for invalid input. The
 * list of versions of an unknown page is empty; a diff of unknown versions rejects with `not_found`.
 */
export function makePageHistoryApi(history: History): PageHistoryApi {
  return {
    list: async (input, team) => {
      const { limit, cursor } = check(trackedSchema(), input)
      const { pages, ...rest } = await history.tracked(team, limit, cursor)
      return { pages: pages.map(({ url, tag, ...newest }) => ({ url, tag, newest: shown(newest) })), ...rest }
    },
    history: async (input, team) => {
      const { url, tag } = check(historySchema(), input)
      const versions = await history.list({ team, url, tag })
      return { url, tag, versions: versions.map(shown) }
    },
    diff: async (input, team) => {
      const { url, tag, from, to } = check(diffSchema(), input)
      const key: PageKey = { team, url, tag }
      const versions = await history.list(key)
      const newer = pick(versions, to ?? versions[0]?.number)
      const older = pick(versions, from ?? versions.find(({ number }) => number < newer.number)?.number)
      return { url, tag, from: shown(older), to: shown(newer), diff: await history.diff(key, older, newer) }
    },
  }
}

function pick(versions: readonly Version[], number: number | undefined): Version {
  const found = versions.find((version) => version.number === number)
  if (found) return found
  const [newest] = versions
  const sentence =
    newest === undefined
      ? 'This page has no stored versions. Scrape it with the format changeTracking first.'
      : `This page does not have this version. Its versions are ${versions.map((one) => one.number).join(', ')}.`
  throw new EngineError('not_found', sentence)
}

function shown({ number, at, seen, checks, isRemoved, characters }: Version): PageVersion {
  const [firstSeenAt, lastSeenAt] = [new Date(at).toISOString(), new Date(seen).toISOString()]
  return { version: number, firstSeenAt, lastSeenAt, checks, isRemoved, characters }
}
