import { readConfig } from '@harvestman/node'
import { expect, test } from 'vitest'

import { botKey } from './bot-key.ts'
import type { Shell } from './shell.ts'

test('bot-key prints the private key alone on standard output, so that it can be the value of the setting', () => {
  const [out, err]: string[][] = [[], []]
  // Cast: it uses nothing else of the shell.
  const shell = { out: (text: string) => out!.push(text), err: (text: string) => err!.push(text) } as unknown as Shell
  expect(botKey(shell)).toBe(0)
  const key = out!.join('').trim()
  expect(readConfig({ env: { HARVESTMAN_BOT_KEYS: key } }).config.botKeys).toEqual([key])
  expect(err!.join('')).toMatch(/The name of this key is [\w-]{43}\./)
  expect(err!.join('')).not.toContain(key)
})
