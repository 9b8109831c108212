// Tracks how reliably hosts report that a page is unchanged, by comparing their reports with loaded pages.
import { hash } from 'node:crypto'

import { layout, type PluginStore } from '@harvestman/core/plugin'
import type { Value } from '@harvestman/ports'

/** Counts for one kind of report. */
export interface Evidence {
  /** Reported as unchanged, and was unchanged. */
  readonly agreed: number
  /** Reported as changed, and had changed. */
  readonly honest: number
  /** Reported as changed, but was unchanged. */
  readonly alarms?: number | undefined
  /** Reported as unchanged, but had changed. */
  readonly lies: number
  /** Time of the last such false report, in milliseconds since 1970. */
  readonly liedAt: number
}

/** Reliability of a host, by kind of report. */
export interface HostTrust {
  /** `ETag` and `Last-Modified`. */
  readonly validators: Evidence
  /** `lastmod` in its sitemaps. */
  readonly sitemap: Evidence
  /** Times in its feeds. */
  readonly feed: Evidence
}

/** A report of a host on a page, and whether the page had in fact changed. */
export interface Statement {
  readonly by: keyof HostTrust
  readonly saysChanged: boolean
  readonly hasChanged: boolean
}

const day = 86_400_000
/** Counting restarts this long after a false report, in milliseconds. */
const grudge = 30 * day
/** How long data of a host is stored after its last update, in milliseconds. */
const life = 90 * day
/** Counts stop here, because more of the same adds no information. */
const enough = { agreed: 200, honest: 20, alarms: 400 }

const nothingShown: Evidence = { agreed: 0, honest: 0, alarms: 0, lies: 0, liedAt: 0 }
/** The data of a host without any reports. */
export const strangerHost: HostTrust = { validators: nothingShown, sitemap: nothingShown, feed: nothingShown }

const { seal, openWhole } = layout<HostTrust>(1, { validators: 'record', sitemap: 'record' })
const what = 'What a host has said of its pages'

const kinds = ['validators', 'sitemap', 'feed'] as const

/** A damaged record counts as missing. Data of earlier versions has no counts for feeds. */
function openTrust(kept: Value | undefined): HostTrust {
  return { ...strangerHost, ...openWhole(what, kept) }
}

/** Returns the share of pages to load even though the host reports them as unchanged. 1 means that it is not trusted. */
export function checkedShare({ agreed, honest, alarms = 0, lies }: Evidence): number {
  // A host with more false alarms than correct reports saves nothing.
  if (lies > 0 || alarms > agreed + honest) return 1
  if (honest >= 3) return 1 / 20
  if (agreed >= enough.agreed) return 1 / 5
  return agreed >= 20 ? 1 / 2 : 1
}

/** Returns a pseudo-random number from 0 to 1. It is the same in all retries of a job, and differs between jobs. */
export function pseudoRandomFor(url: string, job: string | undefined): number {
  return Number.parseInt(hash('sha256', JSON.stringify([url, job]), 'hex').slice(0, 8), 16) / 0xffffffff
}

/**
 * Returns the data of a host. A host without data, or with damaged data, counts as unknown. Rejects with `store_failed` if the
 * store fails, and with `newer_version` if a newer version wrote the data.
 */
export async function trustIn(store: PluginStore, host: string): Promise<HostTrust> {
  return openTrust(await store.get(keyOf(host)))
}

/**
 * Updates the data of a host from its reports. Writes nothing if they teach nothing new. `now` is in milliseconds since 1970.
 * Rejects as `trustIn` does, and if the store fails.
 */
export async function updateTrust(
  store: PluginStore,
  host: string,
  statements: readonly Statement[],
  now: number,
): Promise<void> {
  const known = await trustIn(store, host)
  if (addStatements(known, statements, now) === known) return
  await store.update(keyOf(host), (old) => seal(addStatements(openTrust(old), statements, now)), {
    ttl: life,
  })
}

/**
 * Returns the data about a host with more statements counted; the same object if nothing changed. `now` is in milliseconds since
 * 1970.
 */
export function addStatements(known: HostTrust, statements: readonly Statement[], now: number): HostTrust {
  const of = (kind: keyof HostTrust): Evidence =>
    statements.filter(({ by }) => by === kind).reduce((old, statement) => counted(old, statement, now), known[kind])
  const next = { validators: of('validators'), sitemap: of('sitemap'), feed: of('feed') }
  return kinds.every((kind) => next[kind] === known[kind]) ? known : next
}

function counted(given: Evidence, { saysChanged, hasChanged }: Statement, now: number): Evidence {
  const old = given.lies > 0 && now - given.liedAt >= grudge ? nothingShown : given
  if (hasChanged && !saysChanged) return { ...old, lies: old.lies + 1, liedAt: now }
  if (hasChanged) return old.honest < enough.honest ? { ...old, honest: old.honest + 1 } : old
  const { alarms = 0 } = old
  if (saysChanged) return alarms < enough.alarms ? { ...old, alarms: alarms + 1 } : old
  return old.agreed < enough.agreed ? { ...old, agreed: old.agreed + 1 } : old
}

function keyOf(host: string): string {
  return `host/${host}`
}
