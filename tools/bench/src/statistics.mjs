/** The value below which `part` (0 to 1) of the numbers lie. */
export function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** Runs each task of `tasks` `runs` times, in turns and each round in another order; resolves to the results by name. */
export async function inTurns(tasks, runs) {
  const names = Object.keys(tasks);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < runs; round += 1) {
    const shift = round % names.length;
    for (const name of [...names.slice(shift), ...names.slice(0, shift)]) {
      results[name].push(await tasks[name]());
    }
  }
  return results;
}

/** Prints rows under headings, numbers to the right with at most two decimals. */
export function printTable(headings, rows) {
  const cells = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  for (const row of cells) {
    const [first, ...rest] = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
    console.log([first, ...rest].join("  "));
  }
}

function shown(cell) {
  if (typeof cell !== "number") return cell;
  return cell.toFixed(cell < 10 ? 2 : 1);
}
