// Calls from other languages: a chain of steps on the page, its context or its browser, or on what an earlier call gave.
const handles = new Map()
let lastHandle = 0
const mostHandles = 1_000

const isPlain = (value, depth = 0) => {
  if (value === null || typeof value !== 'object') return typeof value !== 'function'
  if (depth > 20) return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1))
  return (
    Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every((item) => isPlain(item, depth + 1))
  )
}

function show(value) {
  if (value === undefined) return { value: null }
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') }
  if (isPlain(value)) return { value }
  if (Array.isArray(value)) return { list: value.map(show) }
  handles.set(++lastHandle, value)
  if (handles.size > mostHandles) handles.delete(handles.keys().next().value)
  return { handle: lastHandle, kind: value.constructor?.name ?? 'object' }
}

const read = (argument) =>
  argument !== null && typeof argument === 'object' && '__handle' in argument
    ? handles.get(argument.__handle)
    : argument !== null && typeof argument === 'object' && '__regex' in argument
      ? new RegExp(argument.__regex, argument.flags)
      : argument

export async function callPage(all, { on, steps }) {
  let value = typeof on === 'number' ? handles.get(on) : all[on]
  if (value === undefined) throw new Error(`There is no ${on} in this session any more.`)
  for (const { name, args } of steps) {
    const member = value[name]
    if (member === undefined) throw new Error(`${value.constructor?.name ?? 'This'} has no ${name}.`)
    value = typeof member === 'function' ? member.apply(value, (args ?? []).map(read)) : member
    // A locator is no promise, and neither is a keyboard; what is one is waited for.
    if (typeof value?.then === 'function') value = await value
  }
  return show(value)
}
