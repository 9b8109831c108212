/** The type itself, in lower case and without parameters; nothing when the header is not one. */
export function essenceOf(contentType: string | undefined): string | undefined {
  // A host that sends two puts the better one last, as browsers take it.
  const types = (contentType ?? '').split(',').map((part) => part.split(';', 1)[0]!.trim().toLowerCase())
  return types.findLast((type) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) && type !== '*/*')
}

/** The value of a parameter, in quotes or not. */
export function parameterOf(contentType: string | undefined, name: string): string | undefined {
  const parameter = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s;,]+))`, 'i')
  const found = parameter.exec(contentType ?? '')
  const value = (found?.[1] ?? found?.[2] ?? found?.[3])?.trim()
  return value === '' ? undefined : value
}
