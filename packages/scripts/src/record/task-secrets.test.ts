import { expect, test } from 'vitest'

import type { OnTaskSecret, TaskSecret } from '../browsers.ts'
import { digest, seen } from '../page/seen.fake.ts'
import { withEvent } from './acts.ts'
import { watchTaskSecrets } from './task-secrets.ts'

const card: TaskSecret = { name: 'card', value: '4111 1111', origin: 'https://shop.test' }
const target = { ...seen({ role: 'textbox', name: 'Card' }), place: { index: 0, of: 1 } }

function watched() {
  const listeners = new Set<OnTaskSecret>()
  const secrets = watchTaskSecrets({
    watchSecrets: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
  const tell: OnTaskSecret = (secret) => listeners.forEach((listener) => listener(secret))
  const fill = (value: string) =>
    withEvent([], undefined, { type: 'fill', id: '1', target, page: digest(), value }, secrets.find(value))
  return { secrets, tell, fill, listeners }
}

test('what a task fills in as a secret is recorded by its name, without its value', () => {
  const { tell, fill } = watched()
  tell(card)
  expect(fill('4111')).toMatchObject([{ isSecret: true, secret: 'card', origin: card.origin, value: undefined }])
  tell(undefined)
  expect(fill('Ann')).toMatchObject([{ value: 'Ann' }])
})

test('a secret that the page reports after the step is recorded by its name, also when it was reported in parts', () => {
  const { secrets, tell, fill } = watched()
  tell(card)
  tell(undefined)
  expect(fill(card.value)).toMatchObject([{ secret: 'card', value: undefined }])
  const again = { type: 'again' as const, id: '1', value: card.value }
  expect(withEvent(fill('41'), undefined, again, secrets.find(card.value))).toMatchObject([
    { secret: 'card', value: undefined },
  ])
})

test('no secret is followed after the end of the recording', () => {
  const { secrets, tell, listeners } = watched()
  secrets.stop()
  tell(card)
  expect([listeners.size, secrets.values()]).toEqual([0, {}])
})
