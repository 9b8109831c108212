// For the test that kills a process in the middle of its writes: writes pages until then.
import { pageIndex } from '../src/index.ts'

const [, , folder = '', round = ''] = process.argv
const index = pageIndex({ folder, life: 1e12 })
const clock = { now: () => Date.now() }
for (let number = 0; ; number += 1) {
  const url = `https://a.example/${round}/${number % 500}`
  const values = { metadata: { title: `Page ${number}` }, markdown: `An earwig. ${`word${number} `.repeat(300)}` }
  const context = { team: 'a', page: { url, status: 200 }, clock }
  await index.plugin.keepers[0]?.keep(values, context as never).catch(() => undefined)
  if (number === 700) process.send?.('writing')
  if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
}
