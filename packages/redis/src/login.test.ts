import { expect, test } from 'vitest'

import { clusterOptions } from './cluster.ts'
import { sentinelOptions } from './sentinel.ts'

const options = (login: string) => [
  sentinelOptions(`redis+sentinel://${login}host:26379/main`),
  clusterOptions(`redis+cluster://${login}host:6379`, 'a'),
]

test.each([
  ['user:a:b:c@', { username: 'user', password: 'a:b:c' }],
  ['user:a%3Ab%40@', { username: 'user', password: 'a:b@' }],
  [':a:b@', { password: 'a:b' }],
  ['user@', { username: 'user' }],
  ['', {}],
])('the URL with the login %j has the user name and password %j', (login, expected) => {
  for (const { username, password } of options(login).map((one) => ({
    username: undefined,
    password: undefined,
    ...one,
  })))
    expect({ username, password }).toEqual({ username: undefined, password: undefined, ...expected })
})

test.each([
  'redis+sentinel://user:50%@host/main',
  'redis+sentinel://host/50%',
  'redis+sentinel://host/main?sentinelPassword=50%',
])('the URL %s with an invalid percent encoding is rejected', (url) => {
  expect(() => sentinelOptions(url)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('the URL of a cluster with an invalid percent encoding is rejected', () => {
  const url = 'redis+cluster://user:50%@host'
  expect(() => clusterOptions(url, 'a')).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
