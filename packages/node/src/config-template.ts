import type { DescribedSchema } from '@harvestman/core/schema'

import { describeSettings } from './describe-settings.ts'

const width = 110
// Secrets do not belong in a config file.
const secret = /key|secret|password/i

/** Returns a config file with every setting commented out: its description, its default and its environment variable. */
export function configTemplate(): string {
  const settings = describeSettings().map(({ key, names: [name = ''], about }) => {
    const unit = about.unit === undefined ? '' : ` In ${about.unit}.`
    const says = `${(about.description ?? '').replaceAll('`', '')}${unit} In the environment: ${name}${secret.test(key) ? ', which is a safer place for secrets' : ''}.`
    return `${comment(says)}  // ${JSON.stringify(key)}: ${JSON.stringify(example(about))},\n`
  })
  return `// The settings of Harvestman: JSON with comments and trailing commas.
// The environment takes precedence over this file, and the command line over both.
{
${settings.join('\n')}}
`
}

function comment(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => `  // ${line}\n`).join('')
}

/** Returns the default of a setting, or an empty string, which counts as not set. */
function example(field: DescribedSchema): unknown {
  if (field.default !== undefined) return field.default
  return field.type === 'integer' || field.type === 'number' ? (field.minimum ?? 0) : ''
}
