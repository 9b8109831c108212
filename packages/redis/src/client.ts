import { backoffAfter } from '@harvestman/toolbox/backoff'
import { type AbstractConnector, Redis } from './ioredis.ts'

import { clusterOptions, isCluster } from './cluster.ts'
import { WholeReplies } from './connector.ts'
import { redisFailed, redisSlow } from './errors.ts'
import { sentinelOptions } from './sentinel.ts'
import { PatientSentinels } from './sentinel-connector.ts'
import { addScript, indexScript, putScript, replaceScript } from './scripts.ts'

export type { Redis } from './ioredis.ts'

/** A connection with our scripts. Methods of ioredis that end in `Buffer` return keys and values as bytes. */
export interface ScriptedRedis extends Redis {
  harvestmanReplace(key: string, ...given: readonly (string | Buffer)[]): Promise<number>
  harvestmanPut(keys: number, ...given: readonly (string | Buffer)[]): Promise<number>
  harvestmanIndex(...given: readonly [key: string, index: string, ends: string, key: string]): Promise<number>
  harvestmanAdd(key: string, ...given: readonly string[]): Promise<number>
}

export interface Link {
  /** Runs work once the connection is ready, within the timeout. */
  run<T>(work: (redis: ScriptedRedis) => Promise<T>): Promise<T>
  /** Adds a callback for each time that the connection is ready again. */
  onReady(again: () => void): void
  /** Number of times that it has connected to a different server, or to the same one after a restart or failover. */
  readonly generation: number
  readonly redis: ScriptedRedis
  close(): void
}

/** The URL of Redis, or a client whose settings are used for a separate connection. */
export type RedisConnection = string | Redis

/** Maximum delay in milliseconds before reconnecting to a server that is unavailable or loading its data. */
const maxReconnectDelay = 500
/**
 * Milliseconds in which a server that was never reached may refuse connections, as one that is starting does. Later commands
 * wait no longer than `later`, whatever the server does.
 */
const usualGrace: Grace = { first: 5_000, later: 1_000 }

/**
 * Opens a connection on demand. Commands that are pending when it breaks fail and are not sent again: a write that arrives late
 * would undo a later one, and one that arrives twice would count twice. If it cannot connect within `timeout` milliseconds, a
 * command rejects with `store_failed`; sooner if the server was never reached and refuses. Throws `invalid_request` for an
 * invalid URL of a cluster or of Sentinels.
 */
export function openLink(address: RedisConnection, timeout: number, prefix: string, grace = usualGrace): Link {
  const redis = connect(address, prefix, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    commandTimeout: timeout,
  })
  const servers = countServers(redis)
  redis.defineCommand('harvestmanReplace', { numberOfKeys: 1, lua: replaceScript })
  redis.defineCommand('harvestmanPut', { lua: putScript })
  redis.defineCommand('harvestmanIndex', { numberOfKeys: 3, lua: indexScript })
  redis.defineCommand('harvestmanAdd', { numberOfKeys: 1, lua: addScript })

  const connection = readiness(redis, timeout, grace)
  return {
    redis,
    get generation() {
      return servers.generation
    },
    async run(work) {
      if (redis.status !== 'ready') await connection.ready()
      try {
        return await work(redis)
      } catch (error) {
        throw isTimeout(error) ? redisSlow(timeout) : redisFailed(error)
      }
    },
    onReady: (again) => void redis.on('ready', again),
    close: connection.close,
  }
}

/** Milliseconds in which a server may refuse connections, for the first command and for later ones. */
type Grace = Readonly<Record<'first' | 'later', number>>

/** Waits for a connection, once for all concurrent callers. */
function readiness(redis: Redis, timeout: number, grace: Grace) {
  let [limit, isClosed] = [timeout, false]
  let trouble: unknown
  // Undefined once the server was reached.
  let patience: number | undefined = grace.first
  let waiting: Promise<void> | undefined
  redis.on('error', (error) => (trouble = error))
  redis.on('ready', () => {
    trouble = patience = undefined
    limit = timeout
  })
  const untilReady = async (): Promise<void> => {
    // The client gives up for good if it could not resolve where to connect to.
    if (redis.status === 'wait' || (redis.status === 'end' && !isClosed)) redis.connect().catch(() => undefined)
    await new Promise<void>((resolve, reject) => {
      const deadline = patience === undefined ? Infinity : performance.now() + patience
      const settle = (): void => {
        clearTimeout(timer)
        redis.off('error', refused)
        redis.off('ready', begin)
        redis.off('end', end)
      }
      const begin = (): void => (settle(), resolve())
      const end = (): void => (settle(), reject(redisFailed(new Error('The connection was closed.'))))
      const waited = limit
      const late = (): void => {
        if (patience !== undefined) patience = limit = Math.min(timeout, grace.later)
        settle()
        reject(trouble === undefined || isTimeout(trouble) ? redisSlow(waited) : redisFailed(trouble))
      }
      const refused = (): void => {
        if (performance.now() >= deadline) late()
      }
      const timer = setTimeout(late, waited)
      redis.on('error', refused)
      redis.once('ready', begin)
      redis.once('end', end)
    })
  }
  return {
    ready: (): Promise<void> =>
      (waiting ??= untilReady().finally(() => {
        waiting = undefined
      })),
    close: (): void => {
      isClosed = true
      redis.disconnect()
    },
  }
}

/**
 * Creates a connection for a queue, which waits for Redis without limit. Commands that were pending when it broke are sent
 * again: otherwise the queue would wait for a response that never comes. A task that is added twice is delivered twice.
 */
export function patientConnection(address: RedisConnection, prefix: string): Redis {
  const redis = connect(address, prefix, {
    // If BullMQ opened the connection while the server is unavailable, it would give up for good.
    lazyConnect: false,
    maxRetriesPerRequest: null,
    autoResendUnfulfilledCommands: true,
  })
  redis.on('error', () => undefined)
  return redis
}

function connect(address: RedisConnection, prefix: string, more: object): ScriptedRedis {
  const options = {
    lazyConnect: true,
    keepAlive: 10_000,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    // Pending commands fail when the connection breaks. Otherwise the client drops them, and sends nothing more before their
    // timeout.
    maxRetriesPerRequest: 0,
    maxLoadingRetryTime: maxReconnectDelay,
    retryStrategy: (times: number) => backoffAfter(times, { first: 50, longest: maxReconnectDelay }),
    ...(isPlain(address) && { Connector: WholeReplies }),
    ...more,
  }
  const redis = open(address, prefix, options)
  outliveErrors(redis)
  endAtOnce(redis)
  return redis as ScriptedRedis
}

function open(address: RedisConnection, prefix: string, options: object): Redis {
  if (typeof address !== 'string') return address.duplicate(options)
  if (isCluster(address)) return new Redis({ ...clusterOptions(address, prefix), ...options })
  const sentinels = sentinelOptions(address)
  return sentinels ? new Redis({ ...sentinels, Connector: PatientSentinels, ...options }) : new Redis(address, options)
}

/**
 * The client handles one error of a socket. A TLS socket may emit a second one when the connection is refused, which would end
 * the process.
 */
function outliveErrors(redis: Redis): void {
  const connector: AbstractConnector = redis['connector']
  const connect = connector.connect.bind(connector)
  connector.connect = async (emitter: Parameters<typeof connect>[0]) => {
    const socket = await connect(emitter)
    socket.on('error', () => undefined)
    return socket
  }
}

const copiesOf = new WeakMap<Redis, Redis[]>()

/** Ends a client that is disconnected while it waits to reconnect, which ioredis does not: its commands would never settle. */
function endAtOnce(redis: Redis): Redis {
  const copies: Redis[] = []
  copiesOf.set(redis, copies)
  const [disconnect, duplicate] = [redis.disconnect.bind(redis), redis.duplicate.bind(redis)]
  redis.disconnect = (reconnect = false) => {
    const isWaiting = redis.status === 'reconnecting'
    disconnect(reconnect)
    if (reconnect || !isWaiting) return
    redis['manuallyClosing'] = false
    redis['setStatus']('end')
    redis['flushQueue'](new Error('Connection is closed.'))
  }
  redis.duplicate = (options) => {
    const copy = endAtOnce(duplicate(options))
    copies.push(copy)
    return copy
  }
  return redis
}

/** Closes a connection and its duplicates made by BullMQ. */
export function endWithCopies(redis: Redis): void {
  for (const one of [redis, ...(copiesOf.get(redis) ?? [])]) one.disconnect()
}

/**
 * Counts the servers of a connection. A server gets a new `run_id` with each restart, and a replication a new `master_replid`
 * with each failover. Without these fields, each connection counts as a different server.
 */
function countServers(redis: Redis): { readonly generation: number } {
  const connector: AbstractConnector = redis['connector']
  const check = connector.check.bind(connector)
  let server: string | undefined
  const counted = { generation: 0 }
  const note = ({ run_id: run, master_replid: history }: ServerInfo): void => {
    const next = run === undefined ? undefined : `${run} ${history ?? ''}`
    if (server !== undefined && (server === unknownServer || next !== server)) counted.generation += 1
    server = next ?? unknownServer
  }
  // Called with the reply of `INFO`, before the first command on a connection.
  connector.check = (info: ServerInfo) => {
    const isRight = check(info)
    if (isRight) note(info)
    return isRight
  }
  redis.on('ready', () => {
    if (!redis.options.enableReadyCheck) note({})
  })
  return counted
}

interface ServerInfo {
  readonly run_id?: string
  readonly master_replid?: string
}

const unknownServer = 'unknown'

/** Returns whether the connection is a single plain socket, without TLS or Sentinels. */
function isPlain(address: RedisConnection): boolean {
  if (typeof address === 'string') return address.startsWith('redis:')
  const { tls, sentinels, Connector } = address.options
  return !tls && !sentinels && !Connector
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out'
}
