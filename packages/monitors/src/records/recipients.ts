// Stores the recipients of mails and their decisions. Recipients remain after they are removed from a monitor: adding one again
// neither sends a second invitation nor revokes an unsubscription.
import { randomBytes } from 'node:crypto'

import { getMany, layout } from '@harvestman/core/plugin'
import type { Store, Value } from '@harvestman/ports'

import { digestOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'

/** Decision of a recipient. */
export type Decision = 'confirmed' | 'unsubscribed'

export interface RecipientRecord {
  readonly monitor: string
  readonly email: string
  /** The secret in the links of its mails. */
  readonly token: string
  readonly decision: Decision | null
  readonly decidedAt: number | null
  /** When the mail that asks for confirmation was sent. */
  readonly invitedAt: number | null
}

/** The stored recipients of monitors. */
export interface Recipients {
  /** Returns a recipient, and adds it if it is new. */
  add(monitor: string, email: string): Promise<RecipientRecord>
  /** Returns the known ones of these recipients. */
  find(monitor: string, emails: readonly string[]): Promise<readonly RecipientRecord[]>
  ofToken(token: string): Promise<RecipientRecord | undefined>
  /** Updates a recipient atomically. If `change` returns `undefined`, it is left unchanged. Resolves to the stored one. */
  update(
    recipient: Pick<RecipientRecord, 'monitor' | 'email'>,
    change: (record: RecipientRecord) => Partial<RecipientRecord> | undefined,
  ): Promise<RecipientRecord | undefined>
  /** Deletes all recipients of a monitor. */
  deleteOf(monitor: string): Promise<void>
}

const records = layout<RecipientRecord>(1, { monitor: 'text', email: 'text', token: 'text' })
const what = 'A recipient'
const portion = 100

const keyOf = (monitor: string, email: string): string => monitorKeys.recipient(`${monitor}/${digestOf(email)}`)
/** Only a hash of the token is part of a key. */
const tokenKey = (token: string): string => monitorKeys.recipientToken(digestOf(token))

/**
 * Opens the stored e-mail recipients of monitors. `add` returns the existing record if there is one; `ofToken` returns
 * `undefined` for an unknown token. Calls reject if the store fails or a record is damaged.
 */
export function recipientRecords(store: Store): Recipients {
  const open = (stored: Value | undefined): RecipientRecord | undefined => records.open(what, stored)
  return {
    add: async (monitor, email) => {
      const fresh: RecipientRecord = {
        ...{ monitor, email, token: randomBytes(32).toString('base64url') },
        ...{ decision: null, decidedAt: null, invitedAt: null },
      }
      const added = open(await store.update(keyOf(monitor, email), (old) => old ?? records.seal(fresh))) ?? fresh
      await store.set(tokenKey(added.token), { monitor, email })
      return added
    },
    find: async (monitor, emails) =>
      (
        await getMany(
          store,
          emails.map((email) => keyOf(monitor, email)),
        )
      ).flatMap((stored) => open(stored) ?? []),
    ofToken: async (token) => {
      const found = (await store.get(tokenKey(token))) as
        | { readonly monitor: string; readonly email: string }
        | undefined
      const record = found && open(await store.get(keyOf(found.monitor, found.email)))
      return record?.token === token ? record : undefined
    },
    update: async ({ monitor, email }, change) =>
      open(
        await store.update(keyOf(monitor, email), (old) => {
          const record = open(old)
          const changed = record && change(record)
          return changed ? records.seal({ ...record, ...changed }) : old
        }),
      ),
    deleteOf: async (monitor) => {
      for (;;) {
        const entries = await store.list(monitorKeys.recipient(`${monitor}/`), { limit: portion })
        for (const { key, value } of entries) {
          const token = open(value)?.token
          if (token !== undefined) await store.delete(tokenKey(token))
          await store.delete(key)
        }
        if (entries.length < portion) return
      }
    },
  }
}
