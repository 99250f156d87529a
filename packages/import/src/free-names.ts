/** The first of name_2, name_3 and so on that is not taken. */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 2; ; number++) if (!isTaken(`${name}_${number}`)) return `${name}_${number}`
}

/** The name, or where it is taken one with a number; taken from now on. */
export function takeName(name: string, taken: Set<string>): string {
  const free = taken.has(name) ? freeName(name, (candidate) => taken.has(candidate)) : name
  taken.add(free)
  return free
}

/** Leaves room for a number. */
const MAX_SQUAD_NAME = 17

/** A name that a squad may have and no other has. */
export function takeSquadName(name: string, taken: Set<string>): string {
  const possible = name
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, MAX_SQUAD_NAME)
    .padEnd(2, '_')
  return takeName(possible, taken)
}
