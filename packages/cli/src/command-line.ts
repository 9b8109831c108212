// The only module that imports commander.
import { InvalidArgumentError, type Argument, type Command, type Option } from 'commander'

export { Argument, Command, CommanderError, Option } from 'commander'
export type { OutputConfiguration } from 'commander'

/** Returns whether an error is that of commander's own check of choices, not of a parser such as that of a list. */
function isOfChoices(error: unknown): boolean {
  return error instanceof InvalidArgumentError && error.message.startsWith('Allowed choices are ')
}

/** Returns whether a part has choices, without calling a getter, which loads the schemas. */
function hasChoices(part: Option | Argument): boolean {
  const { get, value } = Object.getOwnPropertyDescriptor(part, 'argChoices') ?? {}
  return get !== undefined || value !== undefined
}

/** Makes the errors of a command and its subcommands suggest a similar choice for a value that is not one of the choices. */
export async function suggestChoices({ options, registeredArguments, commands }: Command): Promise<void> {
  const limited = [...options, ...registeredArguments].filter(hasChoices)
  if (limited.length > 0) {
    const { suggestChoice } = await import('@harvestman/toolbox/choices')
    for (const part of limited) {
      const { parseArg } = part
      part.argParser((value: string, previous: unknown) => {
        try {
          // Commander checks the choices in the parser, which an option whose choices are computed late does not have.
          if (parseArg) return parseArg(value, previous)
          const { argChoices: choices } = part
          if (!choices || choices.includes(value)) return value
        } catch (error) {
          if (!isOfChoices(error)) throw error
        }
        const remedy = suggestChoice(value, part.argChoices ?? [])
        throw new InvalidArgumentError(`${remedy.slice(0, 1).toUpperCase()}${remedy.slice(1)}.`)
      })
    }
  }
  for (const command of commands) await suggestChoices(command)
}
