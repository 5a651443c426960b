const STORED_UNDER = 'bugle-places'
/** How many positions are kept: each search is another list. */
const MAX_PLACES = 20

/** A position in a list. */
export interface Place {
  readonly cursor: number
  readonly offset: number
}

/** The positions when a list was left or the page was reloaded. */
export function recallPlace(list: string): Place | undefined {
  return readPlaces().get(list)
}

export function rememberPlace(list: string, place: Place): void {
  const places = readPlaces()
  places.delete(list)
  places.set(list, place)
  sessionStorage.setItem(STORED_UNDER, JSON.stringify([...places].slice(-MAX_PLACES)))
}

export function forgetPlace(list: string): void {
  const places = readPlaces()
  places.delete(list)
  sessionStorage.setItem(STORED_UNDER, JSON.stringify([...places]))
}

function readPlaces(): Map<string, Place> {
  return new Map(JSON.parse(sessionStorage.getItem(STORED_UNDER) ?? '[]') as [string, Place][])
}
