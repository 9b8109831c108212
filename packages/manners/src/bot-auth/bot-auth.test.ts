import { expect, test } from 'vitest'

import { botDirectory } from './bot-auth.ts'
import { makeBotKey } from './bot-key.ts'

const keys = [makeBotKey().privateKey]

test.each([
  'https://user:secret@bot.example.com',
  'https://:secret@bot.example.com',
  'https://user:secret@[bot',
  'http://user:secret@bot.example.com/',
])('the agent %s is refused, with a message that does not quote its password', (agent) => {
  const open = () => botDirectory({ keys, agent })
  expect(open).toThrow(/a URL with a user name or password is not an HTTPS origin/)
  expect(open).not.toThrow(/secret/)
})

test.each(['http://bot.example.com', 'https://bot.example.com/path', 'bot'])('the agent %s is refused', (agent) => {
  expect(() => botDirectory({ keys, agent })).toThrow(`botAuth: "${agent}" is not an HTTPS origin.`)
})
