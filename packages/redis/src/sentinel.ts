import { EngineError } from '@harvestman/ports'
import { decodedPart, loginOf } from './login.ts'

const begins = 'redis+sentinel:'
const defaultPort = 26_379
const form = /^redis\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^/?]+)(?:\/(\d+))?(?:\?sentinelPassword=([^&]+))?$/

/**
 * Returns the ioredis options for a primary that Sentinels know by name, from
 * `redis+sentinel://user:password@host:26379,host:26379/name`. A number after the name is the database, and
 * `?sentinelPassword=` the password of the Sentinels. Returns `undefined` for other URLs. Throws `invalid_request` if the name
 * is missing, or a host or a percent encoding is invalid.
 */
export function sentinelOptions(address: string) {
  if (!address.startsWith(begins)) return undefined
  const [, user = '', hosts = '', name = '', database, sentinelPassword] = form.exec(address) ?? []
  if (name === '') throw invalidUrl()
  return {
    sentinels: hosts.split(',').map(placeOf),
    name: decodedPart(name, invalidUrl),
    // A former primary may return as a read-only replica, which would reject all writes.
    failoverDetector: true,
    reconnectOnError: ({ message }: Error): boolean => message.startsWith('READONLY'),
    ...loginOf(user, invalidUrl),
    ...(database !== undefined && { db: Number(database) }),
    ...(sentinelPassword !== undefined && { sentinelPassword: decodedPart(sentinelPassword, invalidUrl) }),
  }
}

function placeOf(text: string): { host: string; port: number } {
  const [, host, port = defaultPort] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (host === undefined) throw invalidUrl()
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
}

function invalidUrl(): EngineError {
  const message =
    'The address of Sentinels must be redis+sentinel://[user:password@]host[:port][,host[:port]]/<name of the primary>.'
  return new EngineError('invalid_request', message)
}
