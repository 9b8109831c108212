import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { hostOf, urlLocations } from './hosts.ts'

test('hosts of long URLs are remembered without the rest of their URLs', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const locate = urlLocations(new URL('https://start.test/'))
  const hosts: string[] = []
  collect()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < 40; index += 1) {
    const url = new URL(`https://a-long-name-of-host-${index}.test/${'x'.repeat(1_000_000)}`)
    expect(locate(url)).toBe('outside')
    hosts.push(hostOf(url))
  }
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  expect(hosts).toHaveLength(40)
})
