// The only module that imports commander.
import { InvalidArgumentError, type Command } from 'commander'

export { Argument, Command, CommanderError, Option } from 'commander'
export type { OutputConfiguration } from 'commander'

/** Returns whether an error is that of commander's own check of choices, not of a parser such as that of a list. */
function isOfChoices(error: unknown): boolean {
  return error instanceof InvalidArgumentError && error.message.startsWith('Allowed choices are ')
}

/** Makes the errors of a command and its subcommands suggest a similar choice for a value that is not one of the choices. */
export async function suggestChoices({ options, registeredArguments, commands }: Command): Promise<void> {
  const limited = [...options, ...registeredArguments].filter(({ argChoices }) => argChoices !== undefined)
  if (limited.length > 0) {
    const { suggestChoice } = await import('@harvestman/toolbox/choices')
    for (const part of limited) {
      const { argChoices: choices = [], parseArg } = part
      part.argParser((value: string, previous: unknown) => {
        try {
          // Commander checks the choices in the parser, which an option whose choices are computed late does not have.
          if (parseArg) return parseArg(value, previous)
          if (choices.includes(value)) return value
        } catch (error) {
          if (!isOfChoices(error)) throw error
        }
        const remedy = suggestChoice(value, choices)
        throw new InvalidArgumentError(`${remedy.slice(0, 1).toUpperCase()}${remedy.slice(1)}.`)
      })
    }
  }
  for (const command of commands) await suggestChoices(command)
}
