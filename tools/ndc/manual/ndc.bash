# Completion of ndc for bash, made by tools/ndc/manual/write_manual.py from the program's help.

_ndc() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='dedup pairs extract explain similar filter report stats dump events remove compact verify merge-stores options eval help --help --version'
  else
    case $command,$previous in
      help,*) words='dedup pairs extract explain similar filter report stats dump events remove compact verify merge-stores options eval help' ;;
      dedup,--format) words='tsv jsonl groups' ;;
      dedup,--order) words='input fingerprints' ;;
      dedup,--decide) words='lcs method' ;;
      dedup,--keep) words='first longest newest canonical' ;;
      dedup,--caution) words='equal careful normal' ;;
      pairs,--format) words='tsv jsonl' ;;
      pairs,--clusters) words='connected representative' ;;
      extract,--format) words='text jsonl' ;;
      extract,--show) words='own fingerprints spots antecedents terms simhash simhash128 vector' ;;
      explain,--format) words='text json' ;;
      explain,--show) words='sketch trustable' ;;
      similar,--format) words='tsv jsonl' ;;
      filter,--keep) words='first longest newest canonical' ;;
      filter,--caution) words='equal careful normal' ;;
      report,--keep) words='first longest newest canonical' ;;
      report,--caution) words='equal careful normal' ;;
      stats,--format) words='table json prometheus' ;;
      dump,--keep) words='first longest newest' ;;
      dump,--caution) words='equal careful normal' ;;
      options,--format) words='table json' ;;
      *,--detector) words='lcs spotsigs i-match-s lsh-s moz-vector simhash64 simhash128 mwo shingles minhash cosine i-match exact' ;;
      *,--option)
        # A value follows its key at once.
        compopt -o nospace 2>/dev/null
        words='page_bytes_limit= text_bytes_limit= tokens_limit= block_weights= keep_text= detector= decide= detector_threshold= decision= same_document= resemblance= containment= spotsigs= memory_budget_bytes= keys_bytes= spot_bytes= site_bytes= detector_bytes= check_work_limit= events_limit= durability= journal_bytes= read_only= overlay= verify= recover= mmap= pipeline_mismatch= page_ttl_s=' ;;
      *)
        [[ $current == -* ]] || return 0
        case $command in
          dedup) words='--help --output --warc-metadata --store --against --restart --format --csv --threads --order --detector --decide --keep --leave-out-parts --caution --keep-urls --drop-urls --stats --all-statuses --max-page-bytes --mime --max-files --max-expansion --fields --option' ;;
          pairs) words='--help --output --format --detector --threshold --containment --bits --entries --clusters --threads --memory --stats --all-statuses --max-page-bytes --mime --max-files --max-expansion --fields --option' ;;
          extract) words='--help --url --format --show --store --all-statuses --max-page-bytes --mime --max-files --max-expansion --fields --option' ;;
          explain) words='--help --format --show --in-context --all-statuses --max-page-bytes --mime --max-files --max-expansion --fields --option' ;;
          similar) words='--help --count --detector --format --all-statuses --max-page-bytes --mime --max-files --max-expansion --fields --option' ;;
          filter) words='--help --output --dry-run --dropped --keep --leave-out-parts --caution --store --decisions --revisit --threads --stats --quiet --all-statuses --max-page-bytes --mime --max-files --max-expansion --option' ;;
          report) words='--help --output --store --pages --keep --leave-out-parts --caution --replay --single-file --parts --threads --text-megabytes --page-text-bytes --review --near-misses --all-statuses --max-page-bytes --mime --max-files --max-expansion --fields --option' ;;
          stats) words='--help --option --format' ;;
          dump) words='--help --option --keep --leave-out-parts --caution --groups' ;;
          events) words='--help --option --after --follow' ;;
          remove) words='--help --option --url --prefix --site --before --purge' ;;
          compact) words='--help --option' ;;
          verify) words='--help --repair' ;;
          merge-stores) words='--help --output --map --option' ;;
          options) words='--help --format --experimental' ;;
          eval) words='--help --detectors --sweep --experiments --output --pages --pairs --orders --resume --seed --no-figures' ;;
          help) words='--help' ;;
        esac ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

# Files where nothing else fits.
complete -o default -F _ndc ndc
