const STORED_UNDER = 'bugle-places'
/** Lists whose place is kept: each word that is searched for is another list. */
const MAX_PLACES = 20

/** A position in a list. */
export interface Place {
  readonly cursor: number
  readonly offset: number
}

/** Where they were when they left the list, or loaded the page anew. */
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
