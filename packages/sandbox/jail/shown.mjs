// The text of a value as JSON, up to a bound: what comes after that is not looked at, however much there is. Code may have put
// its own in place of what all code is made from, so that nothing of it is used here but what was taken before.
const { stringify } = JSON
const { isArray } = Array
const { isView } = ArrayBuffer
const { keys, getPrototypeOf } = Object
const { call } = Function.prototype
const slice = call.bind(String.prototype.slice)
const apply = call.bind(call)
const part = call.bind(getPrototypeOf(Uint8Array.prototype).subarray)
const boxes = [Number, String, Boolean, BigInt]
const boxed = boxes.map((Box) => [Box.prototype.valueOf])
const { Error: Failure } = globalThis

/** Gives nothing for what JSON has no text for, and throws for what has no end. */
export function shownJson(value, most) {
  const text = { value: '', most }
  return write(text, value, '', undefined) ? slice(text.value, 0, most) : undefined
}

function write(text, given, key, above) {
  const value = plain(given, key, text.most - text.value.length)
  if (typeof value === 'string') {
    // Cut before it is quoted: each of its letters is one of the text at least.
    text.value += stringify(slice(value, 0, text.most))
    return true
  }
  if (typeof value !== 'object' || value === null) {
    const shown = stringify(value)
    if (shown === undefined) return false
    text.value += shown
    return true
  }
  for (let one = above; one; one = one.above) if (one.value === value) throw new Failure('It contains itself.')
  const here = { __proto__: null, value, above }
  if (isArray(value)) writeList(text, value, here)
  else writeObject(text, value, here)
  return true
}

function writeList(text, list, here) {
  const { length } = list
  text.value += '['
  for (let index = 0; index < length && text.value.length <= text.most; index++) {
    if (index > 0) text.value += ','
    if (!write(text, list[index], `${index}`, here)) text.value += 'null'
  }
  text.value += ']'
}

function writeObject(text, object, here) {
  const names = keys(object)
  text.value += '{'
  let isFirst = true
  for (let index = 0; index < names.length && text.value.length <= text.most; index++) {
    const before = text.value
    text.value += `${isFirst ? '' : ','}${stringify(names[index])}:`
    if (write(text, object[names[index]], names[index], here)) isFirst = false
    else text.value = before
  }
  text.value += '}'
}

/** What JSON has in place of it. */
function plain(given, key, room) {
  let value = given
  if (typeof value !== 'object' && typeof value !== 'bigint') return value
  if (value !== null && isView(value) && value.byteLength > room && value.subarray) value = part(value, 0, room)
  if (value !== null && typeof value.toJSON === 'function') value = apply(value.toJSON, value, key)
  for (let index = 0; index < boxed.length; index++) {
    if (typeof value !== 'object' || value === null) return value
    value = unboxed(value, boxed[index][0])
  }
  return value
}

function unboxed(value, valueOf) {
  try {
    return apply(valueOf, value)
  } catch {
    return value
  }
}
