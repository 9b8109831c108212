// The live browsers of people, in engines that share a store in memory.
import { expect, test } from 'vitest'

import { peopleBench, personTask } from '../fixtures/people-bench.ts'
import { actOnPersonPage } from './page.ts'
import { linkOf } from './records.ts'

const task = { ...personTask, timeout: 3_600 }
const { team } = task

test('a request ends when its browser returns to the page, whatever scheme or slash its URL has', async () => {
  const { clock, records, engine } = peopleBench()
  const { browsers, opened } = engine()
  const { record } = await records.add(task)
  await browsers.open(record)
  const [browser] = opened
  await clock.pass(5_000)
  if (browser) browser.url = 'https://shop.example/login'
  await clock.pass(5_000)
  expect(await records.find(team, record.id)).not.toHaveProperty('end')
  if (browser) browser.url = 'http://www.shop.example/orders/#new'
  await clock.pass(5_000)
  expect(await records.find(team, record.id)).toMatchObject({ end: { result: 'done' } })
})

test('the browser of a person is not recorded as a video', async () => {
  const { records, engine } = peopleBench()
  const { browsers, opened } = engine()
  await browsers.open((await records.add(task)).record)
  expect(opened).toMatchObject([{ request: { recordSession: false } }])
})

test('a browser closes when the time of its request is over', async () => {
  const { clock, records, engine } = peopleBench()
  const { browsers, opened } = engine()
  const { record } = await records.add(personTask)
  await browsers.open(record)
  await clock.pass(62_000)
  expect(opened[0]?.session.closed.aborted).toBe(true)
  expect(await records.find(team, record.id)).toMatchObject({ end: { result: 'timeout' } })
})

test('a result that was requested in another engine is kept if the engine with the browser is killed', async () => {
  const { clock, records, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  const { record } = await records.add(task)
  const open = await first.browsers.open(record)
  // Nobody reads the request before the engine is killed.
  expect(await second.browsers.finish(open, 'done')).toMatchObject({ wanted: 'done' })
  const wanted = await records.find(team, record.id)
  if (wanted) expect(await second.browsers.finish(wanted, 'failed')).toMatchObject({ wanted: 'done' })
  first.kill()
  const wait = second.waits.wait(record)
  await clock.pass(2_000)
  await wait
  expect(await records.find(team, record.id)).toMatchObject({ end: { result: 'done' } })
})

test('a browser that is opened again does not end by the result that was requested before', async () => {
  const { clock, records, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  const { record } = await records.add(task)
  const open = await first.browsers.open(record)
  await second.browsers.finish(open, 'done')
  first.kill()
  await second.browsers.open((await records.find(team, record.id)) ?? record)
  await clock.pass(5_000)
  expect(second.opened[0]?.session.closed.aborted).toBe(false)
})

test('the page tells that a request is being ended while its browser runs in another engine', async () => {
  const { clock, records, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  const { record } = await records.add(task)
  await first.browsers.open(record)
  const { bytes } = await actOnPersonPage('done', linkOf(record), second.kit, second.browsers)
  expect(new TextDecoder().decode(bytes as Uint8Array)).toContain('The request is being ended.')
  await clock.pass(5_000)
  expect(await records.find(team, record.id)).toMatchObject({ end: { result: 'done' } })
})

test('a request whose login cannot be saved stays open, and the page shows why', async () => {
  const { clock, records, engine } = peopleBench()
  const { kit, browsers, opened } = engine()
  const { record } = await records.add(task)
  await browsers.open(record)
  if (opened[0]) opened[0].canSave = false
  const { bytes } = await actOnPersonPage('done', linkOf(record), kit, browsers)
  expect(new TextDecoder().decode(bytes as Uint8Array)).toContain('The login could not be saved.')
  await clock.pass(5_000)
  expect(await records.find(team, record.id)).not.toHaveProperty('end')
})

test('an engine that closes stops to watch its browsers', async () => {
  const { clock, records, engine } = peopleBench()
  const { browsers, kill } = engine()
  await browsers.open((await records.add(task)).record)
  await clock.pass(0)
  let reads = 0
  const find = records.find.bind(records)
  Object.assign(records, { find: (...given: Parameters<typeof find>) => ((reads += 1), find(...given)) })
  kill()
  await clock.pass(5_000)
  expect(reads).toBe(0)
})
