import type { Connection, Database } from './client.ts'

export interface Listener {
  /** Resolves when later notifications will be received. */
  listening(): Promise<Connection>
  close(): void
}

export interface ListenerOptions {
  readonly channel: string
  readonly onNotification: (payload: string) => void
  /**
   * Runs on each new connection as soon as it listens. Notifications sent between two connections are lost, so `isAgain` is
   * true for all but the first.
   */
  readonly begin?: (connection: Connection, isAgain: boolean) => Promise<void>
  /** Runs periodically to check that the connection is alive. */
  readonly beat?: (connection: Connection) => Promise<unknown>
}

const beatEvery = 15_000
const rests = { first: 100, most: 2000 }

/**
 * Creates the listener to the notifications of a channel, on a connection that is replaced when it is lost. Notifications in
 * between are lost, so `begin` is called after each connection. `listening` rejects if it cannot connect.
 */
export function openListener(database: Database, options: ListenerOptions): Listener {
  const { beat = (connection) => connection.query('SELECT 1') } = options
  let connection: Promise<Connection> | undefined
  let beating: NodeJS.Timeout | undefined
  let waiting: NodeJS.Timeout | undefined
  let isClosed = false
  let wasOpen = false

  const open = async (): Promise<Connection> => {
    const opened = await listenOn(database, options, wasOpen, (opened) => lost(opened))
    wasOpen = true
    clearInterval(beating)
    beating = setInterval(() => void beat(opened).catch(() => lost(opened)), beatEvery).unref()
    return opened
  }
  const lost = (gone: Connection): void => {
    clearInterval(beating)
    gone.close()
    connection = undefined
    retry(rests.first)
  }
  const retry = (rest: number): void => {
    if (isClosed) return
    waiting = setTimeout(() => {
      connection ??= open()
      connection.catch(() => {
        connection = undefined
        retry(Math.min(rest * 2, rests.most))
      })
    }, rest).unref()
  }
  return {
    listening: async () => {
      connection ??= open()
      try {
        return await connection
      } catch (error) {
        connection = undefined
        throw error
      }
    },
    close: () => {
      isClosed = true
      clearTimeout(waiting)
      clearInterval(beating)
      connection?.then(
        (opened) => opened.close(),
        () => undefined,
      )
    },
  }
}

async function listenOn(
  database: Database,
  { channel, onNotification, begin }: ListenerOptions,
  isAgain: boolean,
  lost: (connection: Connection) => void,
): Promise<Connection> {
  const opened = await database.connect()
  try {
    opened.onEnd(() => lost(opened))
    opened.onNotice(onNotification)
    await opened.query(`LISTEN "${channel}"`)
    await begin?.(opened, isAgain)
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}
