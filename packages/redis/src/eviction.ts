import { tagged } from './cluster.ts'
import { openLink, type RedisConnection } from './client.ts'

const timeout = 10_000

/**
 * Returns a warning if the server evicts data when its memory is full, otherwise `undefined`. Rejects with
 * `store_failed` if it cannot be reached.
 */
export async function redisEvicts(address: RedisConnection): Promise<string | undefined> {
  const link = openLink(address, timeout, tagged(address, 'harvestman:'))
  try {
    // Managed servers hide their configuration but still report these two values.
    const info = await link.run((redis) => redis.info('memory'))
    const [most = '0', policy = 'noeviction'] = ['maxmemory', 'maxmemory_policy'].map(
      (name) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1],
    )
    if (policy === 'noeviction' || Number(most) === 0) return undefined
    return `This Redis deletes data of jobs when its memory is full: its maxmemory-policy is ${policy}. Set it to noeviction.`
  } finally {
    link.close()
  }
}
