/**
 * Returns the media type in lower case without parameters: the last valid one if the header has several. Returns `undefined`
 * if it has none.
 */
export function essenceOf(contentType: string | undefined): string | undefined {
  // If a host sends two types, browsers use the last one.
  const types = (contentType ?? '').split(',').map((part) => part.split(';', 1)[0]!.trim().toLowerCase())
  return types.findLast((type) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) && type !== '*/*')
}

/** Returns the value of a parameter, quoted or not. `undefined` if it is missing or empty. */
export function parameterOf(contentType: string | undefined, name: string): string | undefined {
  const parameter = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s;,]+))`, 'i')
  const found = parameter.exec(contentType ?? '')
  const value = (found?.[1] ?? found?.[2] ?? found?.[3])?.trim()
  return value === '' ? undefined : value
}
