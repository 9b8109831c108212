import type { Socket } from 'node:net'
import { setTimeout as rest } from 'node:timers/promises'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'

import { EngineError } from '@harvestman/ports'
import { Redis } from './ioredis.ts'

import { type Place, WholeReplies } from './connector.ts'
import { loginOf, type Login } from './login.ts'

const form = /^redis(s?)\+cluster:\/\/(?:([^@/]*)@)?([^@/?]+)\/?$/
const defaultPort = 6379
/** Milliseconds that a node may take to report the owner of the slot, and delay before the next round of all nodes. */
const waits = { ask: 2_000, again: 300 }

interface ClusterOptions {
  readonly nodes: readonly Place[]
  /** Hash tag in all keys, so that they are in one slot. */
  readonly tag: string
  readonly login: Login & { readonly tls?: ConnectionOptions }
}

/** Returns whether the URL names the nodes of a Redis Cluster: `redis+cluster:` or `rediss+cluster:`. */
export function isCluster(address: unknown): boolean {
  return typeof address === 'string' && /^rediss?\+cluster:/.test(address)
}

/** Returns a prefix with a hash tag, so that its keys are in one slot of a cluster; for other servers the unchanged prefix. */
export function tagged(address: unknown, prefix: string): string {
  return isCluster(address) && !/\{[^}]+\}/.test(prefix) ? `{${prefix}}` : prefix
}

/**
 * Returns the ioredis options for the node with the slot of a prefix, from
 * `redis+cluster://user:password@host:6379,host:6379`, or `rediss+cluster://` for TLS. All keys of a prefix must be in
 * one slot, because scripts and transactions use several keys. Throws `invalid_request` if a host or a percent encoding is
 * invalid.
 */
export function clusterOptions(address: string, prefix: string) {
  const [, secure, user = '', hosts = ''] = form.exec(address) ?? []
  const login: ClusterOptions['login'] = {
    ...loginOf(user, invalidUrl),
    ...(secure === 's' && { tls: {} }),
  }
  const cluster: ClusterOptions = { nodes: hosts.split(',').map(placeOf), tag: prefix, login }
  return { ...login, cluster, Connector: SlotOwner, reconnectOnError }
}

/** Commands that another node must handle were not executed, so they are sent again to that node. */
function reconnectOnError({ message }: Error): 2 | false {
  return /^(MOVED|READONLY|CLUSTERDOWN) /.test(message) && 2
}

function placeOf(text: string): Place {
  const [, host, port = defaultPort] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (host === undefined) throw invalidUrl()
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
}

function invalidUrl(): EngineError {
  const message = 'The address of a Redis Cluster must be redis+cluster://[user:password@]host[:port][,host[:port]].'
  return new EngineError('invalid_request', message)
}

/** Connects to the node that has the slot, and looks it up for each connection. */
class SlotOwner extends WholeReplies {
  private readonly cluster: ClusterOptions
  private known: readonly Place[]

  constructor(options: unknown) {
    super(options)
    this.cluster = (options as { readonly cluster: ClusterOptions }).cluster
    this.known = this.cluster.nodes
  }

  protected override async find(told: (type: string, error: Error) => void): Promise<Place> {
    while (this.connecting) {
      for (const node of this.known) {
        try {
          const { owner, others } = await ownerAt(node, this.cluster)
          this.known = [...this.cluster.nodes, ...others]
          if (owner) return owner
        } catch (error) {
          told('error', error as Error)
        }
      }
      await rest(waits.again)
    }
    return {}
  }

  protected override open(place: Place): Socket {
    const { tls } = this.cluster.login
    return tls ? connectTls({ ...place, ...tls }) : super.open(place)
  }
}

/** Returns the primary that has the slot, according to one node, and the other nodes that it knows. */
async function ownerAt(node: Place, { tag, login }: ClusterOptions) {
  const bounds = { connectTimeout: waits.ask, commandTimeout: waits.ask, retryStrategy: null }
  const client = new Redis({ ...node, ...login, ...bounds, lazyConnect: true })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const slot = await client.cluster('KEYSLOT', tag)
    const ranges = await client.cluster('SLOTS')
    // A node that does not know its own host omits it.
    const placesOf = (nodes: readonly (readonly [string, number, ...unknown[]])[]): readonly Place[] =>
      nodes.map(([host, port]) => ({ ...node, ...(host && { host }), port }))
    const ofSlot = ranges.filter(([from, to]) => from <= slot && slot <= to)
    const [owner] = ofSlot.flatMap(([, , ...nodes]) => placesOf(nodes))
    return { owner, others: ranges.flatMap(([, , ...nodes]) => placesOf(nodes)) }
  } finally {
    client.disconnect()
  }
}
