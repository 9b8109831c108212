import { tagged } from './cluster.ts'
import { openLink, type RedisAddress } from './client.ts'

const timeout = 10_000

/** Says in a sentence that a server throws away what was kept when its memory is full; nothing where it does not. */
export async function redisEvicts(address: RedisAddress): Promise<string | undefined> {
  const link = openLink(address, timeout, tagged(address, 'harvestman:'))
  try {
    // Cloud servers hide their settings, and still report these two.
    const said = await link.run((redis) => redis.info('memory'))
    const [most = '0', policy = 'noeviction'] = ['maxmemory', 'maxmemory_policy'].map(
      (name) => new RegExp(`^${name}:(\\S+)`, 'm').exec(said)?.[1],
    )
    if (policy === 'noeviction' || Number(most) === 0) return undefined
    return `The Redis throws away what jobs have done when its memory is full: its maxmemory-policy is ${policy}. Set it to noeviction.`
  } finally {
    link.close()
  }
}
