import { hash, randomUUID } from 'node:crypto'

import { keyWatchers } from '@harvestman/ports/stores'
import type { Stop } from '@harvestman/ports'

import type { Connection, Database } from './client.ts'
import { openListener, type Listener } from './listener.ts'

export interface WatchedTable {
  watch(key: string, changed: () => void): Promise<Stop>
  close(): void
}

// A watcher that is not renewed for this long is removed; until then it costs a few useless notifications.
const life = `now() + interval '60 seconds'`

/**
 * Creates the watchers of keys: a table contains the watched keys of all sessions, and a connection receives the notifications.
 * `watch` rejects with `store_failed` if it cannot connect, and otherwise with the error of the client. After a lost connection
 * all watchers are called, because notifications may be missing.
 */
export function watchTable(database: Database, schema: string): WatchedTable {
  const session = randomUUID()
  const keys = new Map<string, string>()
  const add = `INSERT INTO ${schema}.watched SELECT mark, $2, ${life} FROM unnest($1::text[]) AS mark
    ON CONFLICT (mark, session) DO UPDATE SET until = excluded.until`
  const marked = (connection: Connection, marks: readonly string[]): Promise<unknown> =>
    connection.query(add, [marks, session])
  const forget = async (mark: string): Promise<void> => {
    const connection = await listener?.listening()
    await connection?.query(`DELETE FROM ${schema}.watched WHERE mark = $1 AND session = $2`, [mark, session])
  }
  const watchers = keyWatchers({
    ended: (key) => {
      keys.delete(markOf(key))
      void forget(markOf(key)).catch(() => undefined)
    },
  })
  let listener: Listener | undefined
  const open = (): Listener =>
    openListener(database, {
      channel: schema,
      onNotification: (mark) => {
        const key = keys.get(mark)
        if (key !== undefined) watchers.tell(key)
      },
      begin: async (connection, isAgain) => {
        if (!isAgain) return
        await marked(connection, [...keys.keys()])
        watchers.tellAll()
      },
      beat: async (connection) => {
        await marked(connection, [...keys.keys()])
        await connection.query(`DELETE FROM ${schema}.watched WHERE until < now()`)
      },
    })
  return {
    watch: async (key, changed) => {
      const connection = await (listener ??= open()).listening()
      const mark = markOf(key)
      const stop = watchers.add(key, changed)
      keys.set(mark, key)
      try {
        await marked(connection, [mark])
      } catch (error) {
        await stop()
        throw error
      }
      return stop
    },
    close: () => {
      watchers.clear()
      listener?.close()
    },
  }
}

function markOf(key: string): string {
  return hash('md5', key, 'hex')
}
