// The only module that imports commander.
import { suggestChoice } from '@harvestman/toolbox/choices'
import { InvalidArgumentError, type Argument, type Option } from 'commander'

export { Argument, Command, CommanderError, Option } from 'commander'
export type { OutputConfiguration } from 'commander'

/** Restricts an option or an argument to some values. The error for another value suggests a similar choice. */
export function withChoices<Part extends Option | Argument>(part: Part, choices: readonly string[]): Part {
  return part.choices(choices).argParser((value: string) => {
    if (choices.includes(value)) return value
    const remedy = suggestChoice(value, choices)
    throw new InvalidArgumentError(`${remedy.slice(0, 1).toUpperCase()}${remedy.slice(1)}.`)
  }) as Part
}
