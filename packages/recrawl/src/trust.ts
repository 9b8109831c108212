// How far hosts can be trusted when they say that a page has not changed: by what they said, and what came.
import { hash } from 'node:crypto'

import { layout, type PluginStore } from '@harvestman/core/plugin'
import type { Value } from '@harvestman/ports'

/** What loading pages has shown of one kind of statement. */
export interface Evidence {
  /** It said that the page had not changed, and it had not. */
  readonly agreed: number
  /** It said that the page had changed, and it had. */
  readonly honest: number
  /** It said that the page had changed, and it had not. */
  readonly alarms?: number | undefined
  /** It said that the page had not changed, and it had. */
  readonly lies: number
  /** When it last lied; milliseconds since 1970. */
  readonly liedAt: number
}

/** The statements of a host. */
export interface HostTrust {
  /** `ETag` and `Last-Modified`. */
  readonly validators: Evidence
  /** `lastmod` of its sitemaps. */
  readonly sitemap: Evidence
  /** The times of its feeds. */
  readonly feed: Evidence
}

/** What a host said of a page, and what was found. */
export interface Statement {
  readonly by: keyof HostTrust
  readonly saysChanged: boolean
  readonly hasChanged: boolean
}

const day = 86_400_000
/** A host that has lied is asked to prove itself again after this. */
const grudge = 30 * day
/** How long hosts are remembered after the last statement that taught something. */
const life = 90 * day
/** More of the same teaches nothing. */
const enough = { agreed: 200, honest: 20, alarms: 400 }

const nothingShown: Evidence = { agreed: 0, honest: 0, alarms: 0, lies: 0, liedAt: 0 }
/** What is known of a host that has said nothing yet. */
export const strangerHost: HostTrust = { validators: nothingShown, sitemap: nothingShown, feed: nothingShown }

const { seal, open } = layout<HostTrust>(1, { validators: 'record', sitemap: 'record' })
const what = 'What a host has said of its pages'

const kinds = ['validators', 'sitemap', 'feed'] as const

/** Earlier versions knew nothing of feeds. */
function openTrust(kept: Value | undefined): HostTrust {
  return { ...strangerHost, ...open(what, kept) }
}

/** The part of the pages that are loaded although the host says that they have not changed. */
export function checkedShare({ agreed, honest, alarms = 0, lies }: Evidence): number {
  // One that always says that all has changed saves nothing.
  if (lies > 0 || alarms > agreed + honest) return 1
  if (honest >= 3) return 1 / 20
  if (agreed >= enough.agreed) return 1 / 5
  return agreed >= 20 ? 1 / 2 : 1
}

/** A number from 0 to 1 that is the same for a page in every try of a job, and another one in the next job. */
export function lotOf(url: string, job: string | undefined): number {
  return Number.parseInt(hash('sha256', JSON.stringify([url, job]), 'hex').slice(0, 8), 16) / 0xffffffff
}

/** Reads what is known of a host. */
export async function trustIn(store: PluginStore, host: string): Promise<HostTrust> {
  return openTrust(await store.get(keyOf(host)))
}

/** Learns from statements of a host. */
export async function learn(
  store: PluginStore,
  host: string,
  statements: readonly Statement[],
  now: number,
): Promise<void> {
  const known = await trustIn(store, host)
  if (taught(known, statements, now) === known) return
  await store.update(keyOf(host), (old) => seal(taught(openTrust(old), statements, now)), {
    ttl: life,
  })
}

/** The same object when nothing was learnt. */
export function taught(known: HostTrust, statements: readonly Statement[], now: number): HostTrust {
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
