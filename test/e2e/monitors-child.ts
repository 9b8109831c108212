// Keeps the schedule of the monitors in a store, from a moment on, and prints the first check that ends. It may be killed before.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { monitors } from '@harvestman/monitors'
import { movedClock } from '@harvestman/testing'

const [file = '', id = '', from = ''] = process.argv.slice(2)
const clock = movedClock(Date.parse(from))
await using store = { own: sqliteStore(file), [Symbol.asyncDispose]: () => store.own.close() }
const plugins = [monitors({ pollInterval: 1_000 })] as const
const limits = { leaseTime: 1_000 }
await using engine = createEngine({ clock, store: store.own, plugins, limits, allowPrivate: ['127.0.0.0/8'] })
const ended = engine.monitors.watch(id)[Symbol.asyncIterator]().next()
// It has read where the list of checks ends before one can end.
await engine.monitors.checks(id)
engine.monitors.start()
// By its clock, what a dead process held is soon free.
const time = setInterval(() => clock.moveOn(1_000), 50)
const { value } = await ended
clearInterval(time)
process.stdout.write(`${JSON.stringify(value)}\n`)
