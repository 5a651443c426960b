import { type Command, SECTIONS } from './command.ts'

type Source = () => readonly Command[]

const sources: Source[] = []

/** Registers commands until the returned function is called. */
export function offerCommands(source: Source): () => void {
  sources.push(source)
  return () => {
    sources.splice(sources.indexOf(source), 1)
  }
}

/** The commands that are available right now, by section. Keys, palette and help all use this. */
export function listCommands(): readonly Command[] {
  const byId = new Map(sources.flatMap((source) => source()).map((command) => [command.id, command]))
  return SECTIONS.flatMap((section) => [...byId.values()].filter((command) => command.section === section))
}
